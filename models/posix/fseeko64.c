#include "files.h"

int library_fseeko64(FILE *handle, off64_t offset, int whence) LIBRARY(fseeko64);

int fseeko64(FILE *handle, off64_t offset, int whence) {
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        return stream_seek(stream, offset, whence);
    return library_fseeko64(handle, offset, whence);
}
