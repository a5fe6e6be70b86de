#define _GNU_SOURCE
#include "files.h"

int library_mkstemp(char *name) LIBRARY(mkstemp);

int mkstemp(char *name) {
    __tine_read_back();
    return library_mkstemp(name);
}
