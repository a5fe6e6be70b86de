#include "environment.h"

/* The text itself becomes the variable; without a `=` it is the name of one that goes. */
int putenv(char *text) {
    char *end = strchr(text, '=');
    if (end)
        return place_variable(text, end - text);
    unsetenv(text);
    return 0;
}
