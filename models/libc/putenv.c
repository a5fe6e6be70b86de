#include "environment.h"

/* The string itself becomes the variable; without a `=` it names a variable to remove. */
int putenv(char *text) {
    char *end = strchr(text, '=');
    if (end)
        return place_variable(text, end - text);
    unsetenv(text);
    return 0;
}
