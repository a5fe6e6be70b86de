#include "files.h"

int library__IO_getc(FILE *handle) LIBRARY(_IO_getc);

int _IO_getc(FILE *handle) {
    if (stream_read_fails(handle))
        return EOF;
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        return stream_get(stream);
    return library__IO_getc(handle);
}
