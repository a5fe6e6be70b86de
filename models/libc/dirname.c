#include <string.h>

/* All but the last part of a path, which is truncated there. Two slashes at the start differ from one. */
char *dirname(char *path) {
    size_t n = path ? strlen(path) : 0;
    while (n > 1 && path[n - 1] == '/')
        n--;
    while (n > 0 && path[n - 1] != '/')
        n--;
    if (n == 0)
        return (char *)".";
    while (n > 1 && path[n - 1] == '/')
        n--;
    if (n == 1 && path[0] == '/' && path[1] == '/' && path[2] != '/')
        n = 2;
    path[n] = 0;
    return path;
}
