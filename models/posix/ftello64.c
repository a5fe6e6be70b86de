#include "files.h"

off64_t library_ftello64(FILE *handle) LIBRARY(ftello64);

off64_t ftello64(FILE *handle) {
    struct __tine_stream *stream = stream_of(handle);
    struct __tine_opening *opening = stream ? opening_of(stream->descriptor) : NULL;
    if (opening)
        return (long)opening->position - stream->n_pushed;
    return stream_position(handle, library_ftello64(handle));
}
