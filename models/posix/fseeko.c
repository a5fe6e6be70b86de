#include "files.h"

int library_fseeko(FILE *handle, off_t offset, int whence) LIBRARY(fseeko);

int fseeko(FILE *handle, off_t offset, int whence) {
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        return stream_seek(stream, offset, whence);
    return library_fseeko(handle, offset, whence);
}
