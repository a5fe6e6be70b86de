#include "files.h"

char *library___fgets_chk(char *restrict to, size_t size, int room, FILE *restrict handle) LIBRARY(__fgets_chk);

char *__fgets_chk(char *restrict to, size_t size, int room, FILE *restrict handle) {
    if (stream_read_fails(handle))
        return NULL;
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        return stream_line(stream, to, room);
    return library___fgets_chk(to, size, room, handle);
}
