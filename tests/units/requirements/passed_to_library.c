// tine-test: fn=same verdict=bounded
#include <string.h>
int same(const char *a, const char *b) {
    return strcmp(a, b) == 0; //~ REQUIRES a != NULL //~ REQUIRES b != NULL
}
