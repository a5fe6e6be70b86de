#include "files.h"

#include <sys/uio.h>

ssize_t library_readv(int descriptor, const struct iovec *to, int n) LIBRARY(readv);

ssize_t readv(int descriptor, const struct iovec *to, int n) {
    if (read_fails())
        return -1;
    struct __tine_opening *opening = opening_of(descriptor);
    if (!opening)
        return library_readv(descriptor, to, n);
    ssize_t all = 0;
    for (int i = 0; i < n; i++) {
        ssize_t done = read_at(opening->file, opening->position, to[i].iov_base, to[i].iov_len);
        opening->position += done;
        all += done;
        if ((size_t)done < to[i].iov_len)
            break;
    }
    return all;
}
