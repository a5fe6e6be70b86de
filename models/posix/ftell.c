#include "files.h"

long library_ftell(FILE *handle) LIBRARY(ftell);

long ftell(FILE *handle) {
    struct __tine_stream *stream = stream_of(handle);
    struct __tine_opening *opening = stream ? opening_of(stream->descriptor) : NULL;
    if (opening)
        return (long)opening->position - stream->n_pushed;
    return stream_position(handle, library_ftell(handle));
}
