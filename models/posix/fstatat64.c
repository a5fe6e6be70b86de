#include "files.h"

int library_fstatat64(int folder, const char *restrict name, struct stat64 *restrict to, int flags) LIBRARY(fstatat64);

int fstatat64(int folder, const char *restrict name, struct stat64 *restrict to, int flags) {
    struct __tine_opening *opening = !*name ? opening_of(folder) : NULL;
    struct __tine_file *file = opening ? opening->file : file_at(folder, name);
    if (file)
        return describe(file, (struct stat *)to);
    /* The library ignores the previous contents. */
    memset(to, 0, sizeof *to);
    return library_fstatat64(folder, name, to, flags);
}
