#include "files.h"

int close(int descriptor) {
    if (opening_of(descriptor))
        return close_descriptor(descriptor);
    return library_close(descriptor);
}
