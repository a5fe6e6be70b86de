#include "files.h"

ssize_t library_pread64(int descriptor, void *to, size_t n, off64_t at) LIBRARY(pread64);

ssize_t pread64(int descriptor, void *to, size_t n, off64_t at) {
    if (read_fails())
        return -1;
    struct __tine_opening *opening = opening_of(descriptor);
    if (opening)
        return at < 0 ? fails(EINVAL) : read_at(opening->file, at, to, n);
    return overwritten(to, library_pread64(descriptor, to, n, at));
}
