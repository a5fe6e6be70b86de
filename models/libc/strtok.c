#include <string.h>

char *strtok(char *restrict s, const char *restrict set) {
    static char *rest;
    return strtok_r(s, set, &rest);
}
