#include "files.h"

int library_isatty(int descriptor) LIBRARY(isatty);

int isatty(int descriptor) {
    if (opening_of(descriptor)) {
        errno = ENOTTY;
        return 0;
    }
    return library_isatty(descriptor);
}
