#include "files.h"

ssize_t library___getdelim(char **restrict line, size_t *restrict room, int end, FILE *restrict handle) LIBRARY(__getdelim);

ssize_t __getdelim(char **restrict line, size_t *restrict room, int end, FILE *restrict handle) {
    if (stream_read_fails(handle))
        return -1;
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        return stream_until(stream, line, room, end);
    return library___getdelim(line, room, end, handle);
}
