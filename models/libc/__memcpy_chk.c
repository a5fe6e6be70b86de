#include <string.h>

#include "fortified.h"

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room) {
    CHECK(room, n);
    return memcpy(to, from, n);
}
