#include <limits.h>

#include "files.h"

FILE *library_fmemopen(void *bytes, size_t size, const char *mode) LIBRARY(fmemopen);

/* An entry in the list of files for memory that is read. */
static struct __tine_file *new_memory(void) {
    for (unsigned i = 0; i < __tine_files.n_files; i++)
        if (__tine_files.files[i].in_memory && !__tine_files.files[i].bytes)
            return &__tine_files.files[i];
    return __tine_files.n_files < MAX_FILES ? &__tine_files.files[__tine_files.n_files++] : NULL;
}

/* Memory that is only read is a file with known bytes and size. Writing is left to the library. */
FILE *fmemopen(void *bytes, size_t size, const char *mode) {
    struct __tine_file *file = bytes && flags_of(mode) == O_RDONLY && size < UINT_MAX ? new_memory() : NULL;
    if (!file) {
        __tine_read_back();
        return library_fmemopen(bytes, size, mode);
    }
    *file = (struct __tine_file){.bytes = bytes, .capacity = UINT_MAX, .size = (unsigned)size, .asked = 1, .in_memory = 1};
    int descriptor = open_file(file);
    return descriptor < 0 ? NULL : open_stream(descriptor);
}
