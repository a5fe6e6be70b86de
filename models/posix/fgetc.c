#include "files.h"

int library_fgetc(FILE *handle) LIBRARY(fgetc);

int fgetc(FILE *handle) {
    if (stream_read_fails(handle))
        return EOF;
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        return stream_get(stream);
    return library_fgetc(handle);
}
