#include <string.h>

#include "fortified.h"

void *__memmove_chk(void *to, const void *from, size_t n, size_t room) {
    CHECK(room, n);
    return memmove(to, from, n);
}
