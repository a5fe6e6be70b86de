#include <string.h>

char *strtok_r(char *restrict s, const char *restrict set, char **restrict rest) {
    if (!s)
        s = *rest;
    s += strspn(s, set);
    char *end = s + strcspn(s, set);
    *rest = end;
    if (end == s)
        return NULL;
    if (*end) {
        *end = 0;
        *rest = end + 1;
    }
    return s;
}
