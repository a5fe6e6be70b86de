#include "files.h"

#include <wchar.h>

wint_t library_fgetwc(FILE *handle) LIBRARY(fgetwc);

wint_t fgetwc(FILE *handle) {
    struct __tine_stream *stream = stream_of(handle);
    return stream ? stream_get_wide(stream) : library_fgetwc(handle);
}
