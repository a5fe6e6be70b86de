#include "files.h"

void library_clearerr_unlocked(FILE *handle) LIBRARY(clearerr_unlocked);

void clearerr_unlocked(FILE *handle) {
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        stream->at_end = 0;
    library_clearerr_unlocked(handle);
}
