#include <stdlib.h>

#include "allocation.h"
#include "failing.h"
#include "freeing.h"
#include "library.h"

void *library_realloc(void *memory, size_t size) LIBRARY(realloc);

void *realloc(void *memory, size_t size) {
    if (allocation_fails())
        return NULL;
    size_t old = memory ? __tine_room(memory, 0, 1) : 0;
    memory = given_up(memory);
    if (!__tine_depends(&size, sizeof size)) {
        void *object = library_realloc(memory, size);
        /* An object of another size may have been at this address. */
        if (object)
            __tine_sized(object, &size);
        if (object && old < size)
            __tine_unset((char *)object + old, size - old);
        return object;
    }
    size_t room = room_for(size);
    void *object = library_realloc(memory, room);
    if (object)
        __tine_sized(object, room != size ? &size : &room);
    return object;
}
