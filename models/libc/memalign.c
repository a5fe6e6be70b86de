#include <malloc.h>
#include <stdlib.h>

#include "allocation.h"
#include "library.h"

void *library_memalign(size_t alignment, size_t size) LIBRARY(memalign);

void *memalign(size_t alignment, size_t size) {
    if (!__tine_depends(&size, sizeof size))
        return library_memalign(alignment, size);
    size_t room = room_for(size);
    void *object = library_memalign(alignment, room);
    if (object && room != size)
        __tine_sized(object, &size);
    return object;
}
