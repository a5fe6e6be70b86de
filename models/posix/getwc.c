#include "files.h"

#include <wchar.h>

wint_t library_getwc(FILE *handle) LIBRARY(getwc);

wint_t getwc(FILE *handle) {
    struct __tine_stream *stream = stream_of(handle);
    return stream ? stream_get_wide(stream) : library_getwc(handle);
}
