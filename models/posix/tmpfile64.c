#define _GNU_SOURCE
#include "files.h"

FILE *library_tmpfile64(void) LIBRARY(tmpfile64);

FILE *tmpfile64(void) {
    __tine_read_back();
    return library_tmpfile64();
}
