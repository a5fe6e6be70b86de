#include "files.h"

int library_remove(const char *name) LIBRARY(remove);

int remove(const char *name) {
    struct __tine_file *file = file_named(name);
    int result = library_remove(name);
    if (!file)
        return result;
    file->replaced = 1;
    return 0;
}
