// tine-test: fn=same verdict=bounded
#include <string.h>
int same(const char *a, const char *b) {
    return a && b && strcmp(a, b) == 0;
}
