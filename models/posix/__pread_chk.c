#include "files.h"

ssize_t library___pread_chk(int descriptor, void *to, size_t n, off_t at, size_t room) LIBRARY(__pread_chk);

ssize_t __pread_chk(int descriptor, void *to, size_t n, off_t at, size_t room) {
    if (read_fails())
        return -1;
    if (opening_of(descriptor) && n <= room)
        return pread(descriptor, to, n, at);
    return library___pread_chk(descriptor, to, n, at, room);
}
