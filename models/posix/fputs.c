#include "writing.h"

int library_fputs(const char *restrict text, FILE *restrict handle) LIBRARY(fputs);

int fputs(const char *restrict text, FILE *restrict handle) {
    if (__tine_failing.left && *text && stream_write_fails(handle))
        return EOF;
    return library_fputs(plain(text), handle);
}
