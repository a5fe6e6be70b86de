#include "files.h"

int library_dup3(int descriptor, int to, int flags) LIBRARY(dup3);

int dup3(int descriptor, int to, int flags) {
    struct __tine_opening *opening = opening_of(descriptor);
    if (!(flags & ~O_CLOEXEC))
        replace_descriptor(descriptor, to);
    int number = library_dup3(descriptor, to, flags);
    return number < 0 || !opening ? number : name_opening(number, opening);
}
