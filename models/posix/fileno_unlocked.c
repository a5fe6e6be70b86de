#include "files.h"

int library_fileno_unlocked(FILE *handle) LIBRARY(fileno_unlocked);

int fileno_unlocked(FILE *handle) {
    struct __tine_stream *stream = stream_of(handle);
    if (stream)
        return number_of(stream);
    return library_fileno_unlocked(handle);
}
