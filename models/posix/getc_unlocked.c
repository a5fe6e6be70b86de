#include "files.h"

int library_getc_unlocked(FILE *handle) LIBRARY(getc_unlocked);

int getc_unlocked(FILE *handle) {
    if (stream_read_fails(handle))
        return EOF;
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        return stream_get(stream);
    return library_getc_unlocked(handle);
}
