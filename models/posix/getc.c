#include "files.h"

int library_getc(FILE *handle) LIBRARY(getc);

int getc(FILE *handle) {
    if (stream_read_fails(handle))
        return EOF;
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        return stream_get(stream);
    return library_getc(handle);
}
