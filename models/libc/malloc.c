#include <stdlib.h>

#include "allocation.h"
#include "failing.h"
#include "library.h"

void *library_malloc(size_t size) LIBRARY(malloc);

void *malloc(size_t size) {
    if (allocation_fails())
        return NULL;
    if (!__tine_depends(&size, sizeof size)) {
        void *object = library_malloc(size);
        if (object)
            __tine_unset(object, size);
        return object;
    }
    size_t room = room_for(size);
    void *object = library_malloc(room);
    if (object && room != size)
        __tine_sized(object, &size);
    return object;
}
