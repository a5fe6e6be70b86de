#include "files.h"

int library_rename(const char *from, const char *to) LIBRARY(rename);
int library_unlink(const char *name) LIBRARY(unlink);

/* A file that is an input keeps its bytes under the new name. */
int rename(const char *from, const char *to) {
    struct __tine_file *file = file_named(from), *other = file_named(to);
    if (file && file == other)
        return 0;
    if (!file) {
        int result = library_rename(from, to);
        if (result == 0 && other)
            other->replaced = 1;
        return result;
    }
    struct stat folder;
    if (describe_folder(AT_FDCWD, to, &folder) != 0)
        return library_rename(from, to);
    unsigned left = suspend_failing();
    char *name = strdup(to);
    resume_failing(left);
    if (!name)
        return fails(ENOMEM);
    if (other)
        other->replaced = 1;
    int before = errno;
    library_unlink(from);
    library_unlink(to);
    errno = before;
    file->name = name;
    locate(file, AT_FDCWD, name);
    return 0;
}
