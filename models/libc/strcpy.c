#include <string.h>

char *strcpy(char *restrict to, const char *restrict from) {
    stpcpy(to, from);
    return to;
}
