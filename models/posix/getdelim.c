#include "files.h"

ssize_t library_getdelim(char **restrict line, size_t *restrict room, int end, FILE *restrict handle) LIBRARY(getdelim);

ssize_t getdelim(char **restrict line, size_t *restrict room, int end, FILE *restrict handle) {
    if (stream_read_fails(handle))
        return -1;
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        return stream_until(stream, line, room, end);
    return library_getdelim(line, room, end, handle);
}
