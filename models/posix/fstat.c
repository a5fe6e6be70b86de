#include "files.h"

int fstat(int descriptor, struct stat *to) {
    struct __tine_opening *opening = opening_of(descriptor);
    if (opening)
        return describe(opening->file, (struct stat *)to);
    return library_fstat(descriptor, to);
}
