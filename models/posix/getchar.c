#include "files.h"

int library_getchar(void) LIBRARY(getchar);

int getchar(void) {
    if (stream_read_fails(stdin))
        return EOF;
    struct __tine_stream *stream = stream_of(stdin);
    if (stream)
        return stream_get(stream);
    return library_getchar();
}
