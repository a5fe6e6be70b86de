#include "files.h"

int library_close(int descriptor) LIBRARY(close);

int close(int descriptor) {
    if (opening_of(descriptor)) {
        close_descriptor(descriptor);
        /* The kernel may have one of that number, too. */
        if (descriptor < FIRST)
            library_close(descriptor);
        return 0;
    }
    return library_close(descriptor);
}
