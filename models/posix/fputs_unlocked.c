#include "writing.h"

int library_fputs_unlocked(const char *restrict text, FILE *restrict handle) LIBRARY(fputs_unlocked);

int fputs_unlocked(const char *restrict text, FILE *restrict handle) {
    if (__tine_failing.left && *text && stream_write_fails(handle))
        return EOF;
    return library_fputs_unlocked(plain(text), handle);
}
