// tine-test: program
// A name that is an input and a pattern: what matches is found, what cannot is not.
#include <fnmatch.h>
#include <string.h>
#include <tine.h>

int main(void) {
    char name[5];
    tine_symbolic(name, 4, "name");
    name[4] = 0;
    if (fnmatch("[!a-y]*.?", name, 0) == 0)         //~ COVERED
        tine_assert(strcmp(name, "zx.c"));          //~ ERROR assertion failure
    if (fnmatch("*a", name, FNM_PERIOD) == 0)       //~ COVERED
        tine_assert(name[0] != '.');
    return 0;
}
