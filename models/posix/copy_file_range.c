#include "files.h"

ssize_t library_copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t n, unsigned flags) LIBRARY(copy_file_range);

ssize_t copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t n, unsigned flags) {
    if (opening_of(from) || opening_of(to))
        return fails(EINVAL);
    return library_copy_file_range(from, from_at, to, to_at, n, flags);
}
