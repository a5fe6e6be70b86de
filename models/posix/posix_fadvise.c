#include "files.h"

int library_posix_fadvise(int descriptor, off_t offset, off_t n, int advice) LIBRARY(posix_fadvise);

int posix_fadvise(int descriptor, off_t offset, off_t n, int advice) {
    if (opening_of(descriptor))
        return 0;
    return library_posix_fadvise(descriptor, offset, n, advice);
}
