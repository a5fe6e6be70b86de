#include "files.h"

int library_fflush(FILE *handle) LIBRARY(fflush);

int fflush(FILE *handle) {
    if (stream_fails(handle, WRITE, ENOSPC))
        return EOF;
    return library_fflush(handle);
}
