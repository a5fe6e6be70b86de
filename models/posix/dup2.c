#include "files.h"

int dup2(int descriptor, int to) {
    struct __tine_opening *opening = opening_of(descriptor);
    int number = library_dup2(descriptor, to);
    if (number < 0 || descriptor == to)
        return number;
    if (opening_of(to))
        forget_descriptor(to);
    return opening ? name_opening(number, opening) : number;
}
