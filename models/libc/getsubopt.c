#include <stdlib.h>
#include <string.h>

int getsubopt(char **restrict text, char *const *restrict words, char **restrict value) {
    if (!**text)
        return -1;
    char *start = *text, *end = strchrnul(start, ',');
    char *equals = memchr(start, '=', end - start);
    size_t n = (equals ? equals : end) - start;
    for (int k = 0; words[k]; k++) {
        if (strncmp(words[k], start, n) != 0 || words[k][n])
            continue;
        *value = equals ? equals + 1 : NULL;
        if (*end)
            *end++ = 0;
        *text = end;
        return k;
    }
    /* The whole unknown suboption. */
    *value = start;
    if (*end)
        *end++ = 0;
    *text = end;
    return -1;
}
