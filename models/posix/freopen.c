#include "files.h"

FILE *library_freopen(const char *restrict name, const char *restrict mode, FILE *restrict handle) LIBRARY(freopen);

FILE *freopen(const char *restrict name, const char *restrict mode, FILE *restrict handle) {
    if (opening_fails())
        return NULL;
    struct __tine_stream *stream = stream_of(handle);
    /* Changes only the mode. */
    if (stream && !name)
        return handle;
    struct __tine_file *file = opened(name, flags_of(mode));
    int known = handle == stdin ? 0 : -1;
    if (stream) {
        if (known == -1 && file)
            known = stream->descriptor;
        close_stream(stream);
    }
    if (file) {
        int descriptor = open_file(file);
        if (descriptor < 0)
            return NULL;
        if (known >= 0 && known != descriptor) {
            struct __tine_opening *opening = opening_of(descriptor);
            replace_descriptor(descriptor, known);
            library_dup2(descriptor, known);
            name_opening(known, opening);
            close_descriptor(descriptor);
            descriptor = known;
        }
        return new_stream(handle, descriptor) ? handle : NULL;
    }
    return library_freopen(name, mode, handle);
}
