#include "files.h"

#include <wchar.h>

wchar_t *library_fgetws(wchar_t *restrict to, int room, FILE *restrict handle) LIBRARY(fgetws);

wchar_t *fgetws(wchar_t *restrict to, int room, FILE *restrict handle) {
    struct __tine_stream *stream = stream_of(handle);
    if (!stream)
        return library_fgetws(to, room, handle);
    int n = 0;
    if (room <= 0)
        return NULL;
    while (n < room - 1) {
        wint_t character = stream_get_wide(stream);
        if (character == WEOF) {
            if (!stream->at_end)
                return NULL;
            break;
        }
        to[n++] = character;
        if (character == L'\n')
            break;
    }
    if (!n && room > 1)
        return NULL;
    to[n] = 0;
    return to;
}
