#include "files.h"

void clearerr(FILE *handle) {
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        stream->at_end = 0;
    library_clearerr(handle);
}
