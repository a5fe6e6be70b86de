#include "writing.h"

ssize_t library_write(int descriptor, const void *from, size_t n) LIBRARY(write);

ssize_t write(int descriptor, const void *from, size_t n) {
    if (__tine_failing.left && descriptor != STDERR_FILENO && n && fails_with(WRITE, ENOSPC))
        return -1;
    size_t all = __tine_plain(n);
    __tine_leaving(plain(from), all);
    ssize_t done = library_write(descriptor, plain(from), all);
    return done == (ssize_t)all ? (ssize_t)n : done;
}
