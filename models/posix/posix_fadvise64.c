#include "files.h"

int library_posix_fadvise64(int descriptor, off64_t offset, off64_t n, int advice) LIBRARY(posix_fadvise64);

int posix_fadvise64(int descriptor, off64_t offset, off64_t n, int advice) {
    if (opening_of(descriptor))
        return 0;
    return library_posix_fadvise64(descriptor, offset, n, advice);
}
