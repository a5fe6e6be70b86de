#include "files.h"

#include <stdarg.h>
#include <sys/ioctl.h>

int library_ioctl(int descriptor, unsigned long request, ...) LIBRARY(ioctl);

/* A file is not a terminal and supports no other request. */
int ioctl(int descriptor, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    struct __tine_opening *opening = opening_of(descriptor);
    if (!opening)
        return library_ioctl(descriptor, request, argument);
    if (request != FIONREAD)
        return fails(ENOTTY);
    unsigned long here = opening->position, end = seek(opening, 0, SEEK_END);
    opening->position = here;
    *(int *)argument = here < end ? end - here : 0;
    return 0;
}
