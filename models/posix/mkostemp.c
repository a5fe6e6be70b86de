#define _GNU_SOURCE
#include "files.h"

int library_mkostemp(char *name, int flags) LIBRARY(mkostemp);

int mkostemp(char *name, int flags) {
    __tine_read_back();
    return library_mkostemp(name, flags);
}
