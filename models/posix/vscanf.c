#include "scan.h"

int library_vscanf(const char *restrict format, va_list list) LIBRARY(vscanf);

int vscanf(const char *restrict format, va_list list) {
    struct __tine_stream *stream = stream_of(stdin);
    if (stream)
        return scan_stream(stream, format, list);
    return library_vscanf(format, list);
}
