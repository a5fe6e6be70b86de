#include "files.h"

off64_t library_lseek64(int descriptor, off64_t offset, int whence) LIBRARY(lseek64);

off64_t lseek64(int descriptor, off64_t offset, int whence) {
    struct __tine_opening *opening = opening_of(descriptor);
    if (opening)
        return seek(opening, offset, whence);
    return position(descriptor, library_lseek64(descriptor, offset, whence));
}
