#include "files.h"

off_t library_ftello(FILE *handle) LIBRARY(ftello);

off_t ftello(FILE *handle) {
    struct __tine_stream *stream = stream_of(handle);
    struct __tine_opening *opening = stream ? opening_of(stream->descriptor) : NULL;
    if (opening)
        return (long)opening->position - stream->n_pushed;
    return stream_position(handle, library_ftello(handle));
}
