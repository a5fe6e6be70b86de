#include <string.h>

#include "fortified.h"

char *__strncpy_chk(char *to, const char *from, size_t n, size_t room) {
    CHECK(room, n);
    return strncpy(to, from, n);
}
