#include "files.h"

#include <stdarg.h>

int open64(const char *name, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    return open(name, flags, mode);
}
