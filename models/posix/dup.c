#include "files.h"

int dup(int descriptor) {
    struct __tine_opening *opening = opening_of(descriptor);
    if (opening)
        return new_descriptor(opening, 0);
    return library_dup(descriptor);
}
