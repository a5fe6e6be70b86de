#include "files.h"

#include <stdarg.h>

int fcntl(int descriptor, int command, ...) {
    va_list list;
    va_start(list, command);
    long argument = va_arg(list, long);
    va_end(list);
    struct __tine_opening *opening = opening_of(descriptor);
    if (!opening)
        return library_fcntl(descriptor, command, argument);
    switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        return argument < 0 ? fails(EINVAL) : new_descriptor(opening, argument);
    case F_GETFL:
        return O_RDONLY;
    case F_GETFD:
    case F_SETFD:
    case F_SETFL:
        return 0;
    default:
        return fails(EINVAL);
    }
}
