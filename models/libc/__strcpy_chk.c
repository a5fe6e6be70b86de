#include <string.h>

#include "fortified.h"

char *__strcpy_chk(char *to, const char *from, size_t room) {
    CHECK(room, strlen(from) + 1);
    return strcpy(to, from);
}
