#include <string.h>

/* The last part of a path, which is truncated after it. */
char *__xpg_basename(char *path) {
    if (!path || !*path)
        return (char *)".";
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    /* Only slashes: the last one. */
    if (n == 1 && path[0] == '/')
        return path + strlen(path) - 1;
    path[n] = 0;
    while (n > 0 && path[n - 1] != '/')
        n--;
    return path + n;
}
