#include <stdlib.h>

#include "allocation.h"
#include "library.h"

void *library_aligned_alloc(size_t alignment, size_t size) LIBRARY(aligned_alloc);

void *aligned_alloc(size_t alignment, size_t size) {
    return aligned_room(library_aligned_alloc, alignment, size);
}
