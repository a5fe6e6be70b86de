#include <stdlib.h>

#include "allocation.h"
#include "library.h"

void *library_aligned_alloc(size_t alignment, size_t size) LIBRARY(aligned_alloc);

void *aligned_alloc(size_t alignment, size_t size) {
    if (!__tine_depends(&size, sizeof size))
        return library_aligned_alloc(alignment, size);
    size_t room = room_for(size);
    void *object = library_aligned_alloc(alignment, room);
    if (object && room != size)
        __tine_sized(object, &size);
    return object;
}
