#include "files.h"

#include <wchar.h>

wint_t library_ungetwc(wint_t character, FILE *handle) LIBRARY(ungetwc);

wint_t ungetwc(wint_t character, FILE *handle) {
    if (!stream_of(handle))
        return library_ungetwc(character, handle);
    char bytes[8];
    size_t length = character == WEOF ? (size_t)-1 : wcrtomb(bytes, (wchar_t)character, NULL);
    if (length == (size_t)-1)
        return WEOF;
    while (length)
        if (ungetc((unsigned char)bytes[--length], handle) == EOF)
            return WEOF;
    return character;
}
