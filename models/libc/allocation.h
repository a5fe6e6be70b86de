/* Memory of a size that depends on inputs: the size class is a decision, the size itself keeps its expression. */
#include <stddef.h>

unsigned __tine_depends(const void *at, unsigned long size);
void __tine_sized(void *object, const unsigned long *size);
unsigned long __tine_room(const void *array, unsigned long n, unsigned long size);
void __tine_unset(void *object, unsigned long size);

/* The room for a size: the largest size of its class. Above the largest class it is the size itself, concretised. */
static inline size_t room_for(size_t size) {
    if (size == 0)
        return 0;
    if (size <= 16)
        return 16;
    if (size <= 128)
        return 128;
    if (size <= 1024)
        return 1024;
    if (size <= 8192)
        return 8192;
    return size;
}

/* Aligned memory of such a size, allocated by the given function. */
static inline void *aligned_room(void *(*allocate)(size_t, size_t), size_t alignment, size_t size) {
    if (!__tine_depends(&size, sizeof size))
        return allocate(alignment, size);
    size_t room = room_for(size);
    void *object = allocate(alignment, room);
    if (object && room != size)
        __tine_sized(object, &size);
    return object;
}
