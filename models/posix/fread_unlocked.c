#include "files.h"

size_t library_fread_unlocked(void *restrict to, size_t size, size_t n, FILE *restrict handle) LIBRARY(fread_unlocked);

size_t fread_unlocked(void *restrict to, size_t size, size_t n, FILE *restrict handle) {
    if (stream_read_fails(handle))
        return 0;
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        return stream_read(stream, to, size, n);
    return library_fread_unlocked(to, size, n, handle);
}
