#include "files.h"

#include <wchar.h>

wint_t library_ungetwc(wint_t character, FILE *handle) LIBRARY(ungetwc);

wint_t ungetwc(wint_t character, FILE *handle) {
    if (!stream_of(handle))
        return library_ungetwc(character, handle);
    return character >= 128 || ungetc((int)character, handle) == EOF ? WEOF : character;
}
