#include "files.h"

size_t library___fread_chk(void *restrict to, size_t room, size_t size, size_t n, FILE *restrict handle) LIBRARY(__fread_chk);

size_t __fread_chk(void *restrict to, size_t room, size_t size, size_t n, FILE *restrict handle) {
    if (stream_read_fails(handle))
        return 0;
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        return stream_read(stream, to, size, n);
    return library___fread_chk(to, room, size, n, handle);
}
