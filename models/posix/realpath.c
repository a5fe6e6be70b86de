#include "files.h"

#include <limits.h>

char *library_realpath(const char *restrict name, char *restrict to) LIBRARY(realpath);

/* For a file that is an input: the directory's path, then its name. */
char *realpath(const char *restrict name, char *restrict to) {
    struct __tine_file *file = file_named(name);
    if (!file || !file->has_folder)
        return library_realpath(name, to);
    char folder[PATH_MAX] = ".", whole[PATH_MAX] = "";
    size_t n = last_part(name) - name;
    if (n >= sizeof folder) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    if (n) {
        memcpy(folder, name, n);
        folder[n] = 0;
    }
    if (!library_realpath(folder, whole))
        return NULL;
    n = strlen(whole);
    if (n + strlen(file->base) + 2 > sizeof whole) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    if (n > 1)
        whole[n++] = '/';
    strcpy(whole + n, file->base);
    return to ? strcpy(to, whole) : strdup(whole);
}
