#include "files.h"

#include <sys/mman.h>

int library_munmap(void *address, size_t n) LIBRARY(munmap);

int munmap(void *address, size_t n) {
    for (unsigned i = 0; i < MAX_MAPPINGS; i++) {
        if (address && __tine_files.mappings[i] == address) {
            __tine_files.mappings[i] = NULL;
            free(address);
            return 0;
        }
    }
    return library_munmap(address, n);
}
