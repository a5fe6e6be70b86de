#include <string.h>

#include "fortified.h"

void __explicit_bzero_chk(void *to, size_t n, size_t room) {
    CHECK(room, n);
    explicit_bzero(to, n);
}
