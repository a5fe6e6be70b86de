#include "files.h"

FILE *freopen64(const char *restrict name, const char *restrict mode, FILE *restrict handle) {
    return freopen(name, mode, handle);
}
