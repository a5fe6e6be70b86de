#define _GNU_SOURCE
#include "files.h"

#include <unistd.h>

int library_pipe2(int ends[2], int flags) LIBRARY(pipe2);

int pipe2(int ends[2], int flags) {
    __tine_read_back();
    return library_pipe2(ends, flags);
}
