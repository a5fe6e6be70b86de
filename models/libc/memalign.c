#include <malloc.h>
#include <stdlib.h>

#include "allocation.h"
#include "failing.h"
#include "library.h"

void *library_memalign(size_t alignment, size_t size) LIBRARY(memalign);

void *memalign(size_t alignment, size_t size) {
    if (allocation_fails())
        return NULL;
    return aligned_room(library_memalign, alignment, size);
}
