#include "files.h"

ssize_t library___read_chk(int descriptor, void *to, size_t n, size_t room) LIBRARY(__read_chk);

ssize_t __read_chk(int descriptor, void *to, size_t n, size_t room) {
    if (read_fails())
        return -1;
    struct __tine_opening *opening = opening_of(descriptor);
    if (opening) {
        ssize_t done = read_at(opening->file, opening->position, to, n);
        opening->position += done;
        return done;
    }
    return library___read_chk(descriptor, to, n, room);
}
