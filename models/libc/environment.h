/* Environment variables: strings in `environ`, which the library uses, too. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

/* The entry of the variable whose name is the first `n` characters of `name`; NULL if there is none. */
static inline char **variable(const char *name, size_t n) {
    for (char **at = environ; at && *at; at++)
        if (strncmp(*at, name, n) == 0 && (*at)[n] == '=')
            return at;
    return NULL;
}

/* Replaces the variable with the name in the string NAME=VALUE, or appends it. Appending makes a new list, because it
 * is not known which code owns the old one. */
static inline int place_variable(char *text, size_t n) {
    char **at = variable(text, n);
    if (at) {
        *at = text;
        return 0;
    }
    size_t count = 0;
    while (environ && environ[count])
        count++;
    char **longer = malloc((count + 2) * sizeof *longer);
    if (!longer)
        return -1;
    for (size_t i = 0; i < count; i++)
        longer[i] = environ[i];
    longer[count] = text;
    longer[count + 1] = NULL;
    environ = longer;
    return 0;
}

/* Names are not empty and contain no `=`. */
static inline int is_name(const char *name) {
    if (name && *name && !strchr(name, '='))
        return 1;
    errno = EINVAL;
    return 0;
}
