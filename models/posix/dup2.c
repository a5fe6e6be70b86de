#include "files.h"

int dup2(int descriptor, int to) {
    struct __tine_opening *opening = opening_of(descriptor);
    replace_descriptor(descriptor, to);
    int number = library_dup2(descriptor, to);
    return number < 0 || descriptor == to || !opening ? number : name_opening(number, opening);
}
