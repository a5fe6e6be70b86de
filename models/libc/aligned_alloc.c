#include <stdlib.h>

#include "allocation.h"
#include "failing.h"
#include "library.h"

void *library_aligned_alloc(size_t alignment, size_t size) LIBRARY(aligned_alloc);

void *aligned_alloc(size_t alignment, size_t size) {
    if (allocation_fails())
        return NULL;
    return aligned_room(library_aligned_alloc, alignment, size);
}
