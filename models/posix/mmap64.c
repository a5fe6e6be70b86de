#include "files.h"

#include <sys/mman.h>

void *library_mmap64(void *where, size_t n, int protection, int flags, int descriptor, off64_t offset) LIBRARY(mmap64);

void *mmap64(void *where, size_t n, int protection, int flags, int descriptor, off64_t offset) {
    struct __tine_opening *opening = flags & MAP_ANONYMOUS ? NULL : opening_of(descriptor);
    if (opening)
        return map_file(opening->file, n, offset);
    return library_mmap64(where, n, protection, flags, descriptor, offset);
}
