#include "files.h"

FILE *library_fopen(const char *restrict name, const char *restrict mode) LIBRARY(fopen);

FILE *fopen(const char *restrict name, const char *restrict mode) {
    if (opening_fails())
        return NULL;
    struct __tine_file *file = opened(name, flags_of(mode));
    if (file) {
        int descriptor = open_found(file, flags_of(mode));
        return descriptor < 0 ? NULL : open_stream(descriptor);
    }
    return library_fopen(name, mode);
}
