#include "files.h"

int library_dup3(int descriptor, int to, int flags) LIBRARY(dup3);

int dup3(int descriptor, int to, int flags) {
    struct __tine_opening *opening = opening_of(descriptor);
    int number = library_dup3(descriptor, to, flags);
    if (number < 0)
        return number;
    if (opening_of(to))
        forget_descriptor(to);
    return opening ? name_opening(number, opening) : number;
}
