#include "files.h"

ssize_t library_pread(int descriptor, void *to, size_t n, off_t at) LIBRARY(pread);

ssize_t pread(int descriptor, void *to, size_t n, off_t at) {
    if (read_fails())
        return -1;
    struct __tine_opening *opening = opening_of(descriptor);
    if (opening)
        return at < 0 ? fails(EINVAL) : read_at(opening->file, at, to, n);
    return overwritten(to, library_pread(descriptor, to, n, at));
}
