#include "files.h"

int library_unlinkat(int folder, const char *name, int flags) LIBRARY(unlinkat);

int unlinkat(int folder, const char *name, int flags) {
    struct __tine_file *file = flags & AT_REMOVEDIR ? NULL : file_at(folder, name);
    int result = library_unlinkat(folder, name, flags);
    if (!file)
        return result;
    file->replaced = 1;
    return 0;
}
