#include <string.h>

char *strsep(char **restrict place, const char *restrict set) {
    char *s = *place;
    if (!s)
        return NULL;
    char *end = s + strcspn(s, set);
    *place = *end ? end + 1 : NULL;
    *end = 0;
    return s;
}
