#include "environment.h"

int setenv(const char *name, const char *value, int overwrite) {
    if (!is_name(name))
        return -1;
    size_t n = strlen(name), length = strlen(value);
    if (!overwrite && variable(name, n))
        return 0;
    char *text = malloc(n + length + 2);
    if (!text)
        return -1;
    memcpy(text, name, n);
    text[n] = '=';
    memcpy(text + n + 1, value, length + 1);
    return place_variable(text, n);
}
