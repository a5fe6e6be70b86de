#include <errno.h>
#include <locale.h>
#include <string.h>

/* Programs that are explored are in the C locale, whatever the environment says: there are models for no other. */
char *setlocale(int category, const char *locale) {
    if (category < LC_CTYPE || category > LC_IDENTIFICATION) {
        errno = EINVAL;
        return NULL;
    }
    if (locale && *locale && strcmp(locale, "C") != 0 && strcmp(locale, "POSIX") != 0) {
        errno = ENOENT;
        return NULL;
    }
    return "C";
}
