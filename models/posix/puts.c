#include "writing.h"

int library_puts(const char *text) LIBRARY(puts);

int puts(const char *text) {
    if (stream_write_fails(stdout))
        return EOF;
    return library_puts(plain(text));
}
