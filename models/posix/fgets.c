#include "files.h"

char *library_fgets(char *restrict to, int room, FILE *restrict handle) LIBRARY(fgets);

char *fgets(char *restrict to, int room, FILE *restrict handle) {
    if (stream_read_fails(handle))
        return NULL;
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        return stream_line(stream, to, room);
    char *line = library_fgets(to, room, handle);
    if (line)
        overwritten(line, strlen(line) + 1);
    return line;
}
