#include "files.h"

int library_fclose(FILE *handle) LIBRARY(fclose);

int fclose(FILE *handle) {
    struct __tine_stream *stream = stream_of(handle);
    if (stream) {
        /* The same, which depends on no input. */
        handle = stream->handle;
        close_stream(stream);
        return library_fclose(handle);
    }
    /* It is closed all the same; what was buffered is lost. */
    int fails = call_fails(WRITE), result = library_fclose(handle);
    if (!fails)
        return result;
    errno = ENOSPC;
    return EOF;
}
