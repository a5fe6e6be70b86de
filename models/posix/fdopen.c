#include "files.h"

FILE *library_fdopen(int descriptor, const char *mode) LIBRARY(fdopen);

FILE *fdopen(int descriptor, const char *mode) {
    if (opening_of(descriptor))
        return open_stream(descriptor);
    return library_fdopen(descriptor, mode);
}
