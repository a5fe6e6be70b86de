#include <string.h>

#include "fortified.h"

void *__memset_chk(void *to, int byte, size_t n, size_t room) {
    CHECK(room, n);
    return memset(to, byte, n);
}
