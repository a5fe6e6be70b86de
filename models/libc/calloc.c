#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "allocation.h"
#include "failing.h"
#include "library.h"

void *library_calloc(size_t n, size_t size) LIBRARY(calloc);

void *calloc(size_t n, size_t size) {
    if (allocation_fails())
        return NULL;
    if (!__tine_depends(&n, sizeof n) && !__tine_depends(&size, sizeof size))
        return library_calloc(n, size);
    size_t all;
    if (__builtin_mul_overflow(n, size, &all) || all > PTRDIFF_MAX) {
        errno = ENOMEM;
        return NULL;
    }
    size_t room = room_for(all);
    void *object = library_calloc(1, room);
    if (object && room != all)
        __tine_sized(object, &all);
    return object;
}
