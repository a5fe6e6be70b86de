#include "files.h"

int library_faccessat(int folder, const char *name, int mode, int flags) LIBRARY(faccessat);

int faccessat(int folder, const char *name, int mode, int flags) {
    if (file_at(folder, name))
        return mode & X_OK ? fails(EACCES) : 0;
    return library_faccessat(folder, name, mode, flags);
}
