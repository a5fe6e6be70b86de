#include "files.h"

int library_unlink(const char *name) LIBRARY(unlink);

/* Open descriptors remain usable. */
int unlink(const char *name) {
    struct __tine_file *file = file_named(name);
    int result = library_unlink(name);
    if (!file)
        return result;
    file->replaced = 1;
    return 0;
}
