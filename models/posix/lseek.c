#include "files.h"

off_t library_lseek(int descriptor, off_t offset, int whence) LIBRARY(lseek);

off_t lseek(int descriptor, off_t offset, int whence) {
    struct __tine_opening *opening = opening_of(descriptor);
    if (opening)
        return seek(opening, offset, whence);
    return position(descriptor, library_lseek(descriptor, offset, whence));
}
