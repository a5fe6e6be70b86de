#include "files.h"

char *library_fgets_unlocked(char *restrict to, int room, FILE *restrict handle) LIBRARY(fgets_unlocked);

char *fgets_unlocked(char *restrict to, int room, FILE *restrict handle) {
    if (stream_read_fails(handle))
        return NULL;
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        return stream_line(stream, to, room);
    return library_fgets_unlocked(to, room, handle);
}
