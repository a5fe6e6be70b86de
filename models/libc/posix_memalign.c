#define _GNU_SOURCE
#include <stdlib.h>

#include "allocation.h"
#include "failing.h"
#include "library.h"

int library_posix_memalign(void **to, size_t alignment, size_t size) LIBRARY(posix_memalign);

int posix_memalign(void **to, size_t alignment, size_t size) {
    if (call_fails(ALLOCATION))
        return ENOMEM;
    if (!__tine_depends(&size, sizeof size))
        return library_posix_memalign(to, alignment, size);
    size_t room = room_for(size);
    void *object = NULL;
    int failed = library_posix_memalign(&object, alignment, room);
    if (failed)
        return failed;
    if (room != size)
        __tine_sized(object, &size);
    *to = object;
    return 0;
}
