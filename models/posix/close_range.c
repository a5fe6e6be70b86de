#include "files.h"

ONLY_WITH_LIBRARY(close_range)

#define ONLY_LATER 4

int close_range(unsigned first, unsigned last, int flags) {
    int result = ((int (*)(unsigned, unsigned, int))library_close_range)(first, last, flags);
    for (unsigned i = first; result == 0 && !(flags & ONLY_LATER) && i <= last && i < FIRST; i++)
        if (opening_of(i))
            forget_descriptor(i);
    return result;
}
