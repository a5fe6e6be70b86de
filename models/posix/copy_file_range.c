#include "files.h"

ssize_t library_copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t n, unsigned flags) LIBRARY(copy_file_range);

/* Copying fewer bytes than requested is always allowed. */
#define MOST 4096

static ssize_t copy(struct __tine_opening *opening, off64_t *from_at, int to, off64_t *to_at, size_t n) {
    unsigned char buffer[MOST];
    ssize_t done = read_at(opening->file, from_at ? *from_at : opening->position, buffer, n < MOST ? n : MOST);
    if (done <= 0)
        return done;
    done = to_at ? pwrite(to, buffer, done, *to_at) : write(to, buffer, done);
    if (done <= 0)
        return done;
    if (to_at)
        *to_at += done;
    if (from_at)
        *from_at += done;
    else
        opening->position += done;
    return done;
}

ssize_t copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t n, unsigned flags) {
    struct __tine_opening *opening = opening_of(from);
    if (!opening && !opening_of(to))
        return library_copy_file_range(from, from_at, to, to_at, n, flags);
    if (!opening || opening_of(to))
        return fails(EBADF);
    struct stat status;
    if (fstat(to, &status))
        return -1;
    int mode = fcntl(to, F_GETFL);
    if ((mode & O_ACCMODE) == O_RDONLY || mode & O_APPEND)
        return fails(EBADF);
    if (flags || !S_ISREG(status.st_mode))
        return fails(EINVAL);
    return copy(opening, from_at, to, to_at, n);
}
