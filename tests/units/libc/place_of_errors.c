// tine-test: program
// What goes wrong in the library is an error of the line that called it.
#include <string.h>
#include <tine.h>

int main(void) {
    const char *nowhere = (const char *)16;
    int which = tine_int("which");
    if (which == 1)                                 //~ COVERED
        return (int)strlen(nowhere);                //~ ERROR invalid memory access
    if (which == 2)                                 //~ COVERED
        return strcmp("x", nowhere);                //~ ERROR invalid memory access
    return 0;
}
