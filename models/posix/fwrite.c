#include "writing.h"

size_t library_fwrite(const void *restrict from, size_t size, size_t n, FILE *restrict handle) LIBRARY(fwrite);

size_t fwrite(const void *restrict from, size_t size, size_t n, FILE *restrict handle) {
    if (__tine_failing.left && size && n && stream_write_fails(handle))
        return 0;
    size_t all = __tine_plain(n), each = __tine_plain(size);
    __tine_leaving(plain(from), all * each);
    size_t done = library_fwrite(plain(from), size, all, handle);
    return done == all ? n : done;
}
