#include "files.h"

ONLY_WITH_LIBRARY(closefrom)

void closefrom(int low) {
    for (int i = low < 0 ? 0 : low; i < FIRST; i++)
        if (opening_of(i))
            close_descriptor(i);
    ((void (*)(int))library_closefrom)(low);
}
