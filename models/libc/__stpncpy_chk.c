#include <string.h>

#include "fortified.h"

char *__stpncpy_chk(char *to, const char *from, size_t n, size_t room) {
    CHECK(room, n);
    return stpncpy(to, from, n);
}
