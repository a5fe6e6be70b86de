#include "scan.h"

int library_vfscanf(FILE *restrict handle, const char *restrict format, va_list list) LIBRARY(vfscanf);

int vfscanf(FILE *restrict handle, const char *restrict format, va_list list) {
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        return scan_stream(stream, format, list);
    return library_vfscanf(handle, format, list);
}
