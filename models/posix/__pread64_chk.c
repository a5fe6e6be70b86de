#include "files.h"

ssize_t library___pread64_chk(int descriptor, void *to, size_t n, off64_t at, size_t room) LIBRARY(__pread64_chk);

ssize_t __pread64_chk(int descriptor, void *to, size_t n, off64_t at, size_t room) {
    if (read_fails())
        return -1;
    if (opening_of(descriptor) && n <= room)
        return pread64(descriptor, to, n, at);
    return library___pread64_chk(descriptor, to, n, at, room);
}
