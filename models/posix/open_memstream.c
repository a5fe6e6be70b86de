#define _GNU_SOURCE
#include "files.h"

FILE *library_open_memstream(char **text, size_t *size) LIBRARY(open_memstream);

FILE *open_memstream(char **text, size_t *size) {
    __tine_read_back();
    return library_open_memstream(text, size);
}
