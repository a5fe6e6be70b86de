#include "files.h"

int library_ungetc(int byte, FILE *handle) LIBRARY(ungetc);

int ungetc(int byte, FILE *handle) {
    struct __tine_stream *stream = stream_of(handle);
    if (stream) {
        if (byte == EOF || stream->n_pushed == MAX_PUSHED)
            return EOF;
        stream->pushed[stream->n_pushed++] = byte;
        stream->at_end = 0;
        return (unsigned char)byte;
    }
    return library_ungetc(byte, handle);
}
