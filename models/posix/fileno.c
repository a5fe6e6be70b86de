#include "files.h"

int library_fileno(FILE *handle) LIBRARY(fileno);

int fileno(FILE *handle) {
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        return number_of(stream);
    return library_fileno(handle);
}
