#include "files.h"

int library_dup2(int descriptor, int to) LIBRARY(dup2);

int dup2(int descriptor, int to) {
    struct __tine_opening *opening = opening_of(descriptor);
    if (opening && (unsigned)to >= MAX_DESCRIPTORS)
        return fails(EBADF);
    if ((opening || opening_of(to)) && descriptor != to) {
        if (opening_of(to))
            close_descriptor(to);
        if (opening) {
            opening->users++;
            __tine_files.descriptors[to] = opening;
            return to;
        }
    }
    if (opening)
        return to;
    return library_dup2(descriptor, to);
}
