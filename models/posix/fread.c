#include "files.h"

size_t library_fread(void *restrict to, size_t size, size_t n, FILE *restrict handle) LIBRARY(fread);

size_t fread(void *restrict to, size_t size, size_t n, FILE *restrict handle) {
    if (stream_read_fails(handle))
        return 0;
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        return stream_read(stream, to, size, n);
    size_t done = library_fread(to, size, n, handle);
    overwritten(to, done * size);
    return done;
}
