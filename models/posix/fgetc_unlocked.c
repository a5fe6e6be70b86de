#include "files.h"

int library_fgetc_unlocked(FILE *handle) LIBRARY(fgetc_unlocked);

int fgetc_unlocked(FILE *handle) {
    if (stream_read_fails(handle))
        return EOF;
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        return stream_get(stream);
    return library_fgetc_unlocked(handle);
}
