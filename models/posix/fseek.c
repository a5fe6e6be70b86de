#include "files.h"

int library_fseek(FILE *handle, long offset, int whence) LIBRARY(fseek);

int fseek(FILE *handle, long offset, int whence) {
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        return stream_seek(stream, offset, whence);
    return library_fseek(handle, offset, whence);
}
