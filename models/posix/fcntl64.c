#include "files.h"

#include <stdarg.h>

int fcntl64(int descriptor, int command, ...) {
    va_list list;
    va_start(list, command);
    long argument = va_arg(list, long);
    va_end(list);
    return fcntl(descriptor, command, argument);
}
