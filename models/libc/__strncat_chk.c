#include <string.h>

#include "fortified.h"

char *__strncat_chk(char *to, const char *from, size_t n, size_t room) {
    CHECK(room, strlen(to) + strnlen(from, n) + 1);
    return strncat(to, from, n);
}
