#define _GNU_SOURCE
#include "files.h"

FILE *library_tmpfile(void) LIBRARY(tmpfile);

FILE *tmpfile(void) {
    __tine_read_back();
    return library_tmpfile();
}
