#include "files.h"

ssize_t library_read(int descriptor, void *to, size_t n) LIBRARY(read);

ssize_t read(int descriptor, void *to, size_t n) {
    if (read_fails())
        return -1;
    struct __tine_opening *opening = opening_of(descriptor);
    if (opening) {
        ssize_t done = read_at(opening->file, opening->position, to, n);
        opening->position += done;
        return done;
    }
    return overwritten(to, library_read(descriptor, to, n));
}
