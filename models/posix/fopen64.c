#include "files.h"

FILE *library_fopen64(const char *restrict name, const char *restrict mode) LIBRARY(fopen64);

FILE *fopen64(const char *restrict name, const char *restrict mode) {
    struct __tine_file *file = opened(name, mode[0] == 'r' && !strchr(mode, '+') ? O_RDONLY : O_WRONLY);
    if (file) {
        int descriptor = open_file(file);
        return descriptor < 0 ? NULL : open_stream(descriptor);
    }
    return library_fopen64(name, mode);
}
