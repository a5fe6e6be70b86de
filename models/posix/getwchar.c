#include "files.h"

#include <wchar.h>

wint_t library_getwchar(void) LIBRARY(getwchar);

wint_t getwchar(void) {
    struct __tine_stream *stream = stream_of(stdin);
    return stream ? stream_get_wide(stream) : library_getwchar();
}
