// tine-test: fn=extern_concrete paths=2
// Code that tine has not compiled does no harm as long as no input reaches it.
#include <stdlib.h>
#include <string.h>
#include <tine.h>

int extern_concrete(int x) {
    char text[8];
    strcpy(text, "123");
    int n = atoi(text) + (getenv("TINE_NO_SUCH_VARIABLE") != NULL);
    tine_assert(x != n * 1000 + 7);         //~ ERROR assertion failure
    return 0;
}
