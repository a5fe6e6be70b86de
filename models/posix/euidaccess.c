#include "files.h"

int library_euidaccess(const char *name, int mode) LIBRARY(euidaccess);

int euidaccess(const char *name, int mode) {
    if (file_named(name))
        return mode & X_OK ? fails(EACCES) : 0;
    return library_euidaccess(name, mode);
}
