#include <string.h>

#include "fortified.h"

char *__stpcpy_chk(char *to, const char *from, size_t room) {
    CHECK(room, strlen(from) + 1);
    return stpcpy(to, from);
}
