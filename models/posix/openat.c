#include "files.h"

#include <stdarg.h>

int library_openat(int folder, const char *name, int flags, ...) LIBRARY(openat);

int openat(int folder, const char *name, int flags, ...) {
    if (opening_fails())
        return -1;
    struct __tine_file *file = opened_at(folder, name, flags);
    if (file)
        return open_found(file, flags);
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    return library_openat(folder, name, flags, mode);
}
