#include "files.h"

int library_access(const char *name, int mode) LIBRARY(access);

int access(const char *name, int mode) {
    if (file_named(name))
        return mode & X_OK ? fails(EACCES) : 0;
    return library_access(name, mode);
}
