#include "environment.h"

int unsetenv(const char *name) {
    if (!is_name(name))
        return -1;
    size_t n = strlen(name);
    for (char **at; (at = variable(name, n));)
        for (; *at; at++)
            at[0] = at[1];
    return 0;
}
