#include "files.h"

void library_rewind(FILE *handle) LIBRARY(rewind);

void rewind(FILE *handle) {
    struct __tine_stream *stream = stream_of(handle);
    if (stream) {
        stream_seek(stream, 0, SEEK_SET);
        return;
    }
    library_rewind(handle);
}
