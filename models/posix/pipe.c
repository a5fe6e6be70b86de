#define _GNU_SOURCE
#include "files.h"

int library_pipe(int ends[2]) LIBRARY(pipe);

int pipe(int ends[2]) {
    __tine_read_back();
    return library_pipe(ends);
}
