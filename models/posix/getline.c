#include "files.h"

ssize_t library_getline(char **restrict line, size_t *restrict room, FILE *restrict handle) LIBRARY(getline);

ssize_t getline(char **restrict line, size_t *restrict room, FILE *restrict handle) {
    if (stream_read_fails(handle))
        return -1;
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        return stream_until(stream, line, room, '\n');
    return library_getline(line, room, handle);
}
