#include "files.h"

ONLY_WITH_LIBRARY(close_range)

#define SHARED 2

int close_range(unsigned first, unsigned last, int flags) {
    for (unsigned i = first; !(flags & ~SHARED) && i <= last && i < FIRST; i++)
        if (opening_of(i))
            close_descriptor(i);
    return ((int (*)(unsigned, unsigned, int))library_close_range)(first, last, flags);
}
