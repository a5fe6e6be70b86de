#include "files.h"

int library_eaccess(const char *name, int mode) LIBRARY(eaccess);

int eaccess(const char *name, int mode) {
    if (file_named(name))
        return mode & X_OK ? fails(EACCES) : 0;
    return library_eaccess(name, mode);
}
