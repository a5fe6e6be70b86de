#include <string.h>

#include "fortified.h"

char *__strcat_chk(char *to, const char *from, size_t room) {
    CHECK(room, strlen(to) + strlen(from) + 1);
    return strcat(to, from);
}
