#define _GNU_SOURCE
#include "files.h"

int library_mkstemp64(char *name) LIBRARY(mkstemp64);

int mkstemp64(char *name) {
    __tine_read_back();
    return library_mkstemp64(name);
}
