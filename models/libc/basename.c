#include <string.h>

/* GNU's version: the part after the last slash. POSIX's is `__xpg_basename`. */
char *basename(const char *path) {
    char *slash = strrchr(path, '/');
    return slash ? slash + 1 : (char *)path;
}
