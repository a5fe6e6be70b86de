// tine-test: fn=string_compared
// A word of a table is found by its text.
#include <string.h>
#include <tine.h>

int string_compared(unsigned i) {
    static const char words[5][8] = {"add", "sub", "mul", "divide", "mod"};
    const char *w = words[i % 5];
    if (strcmp(w, "divide") == 0)                       //~ COVERED
        tine_assert(i % 5 != 3);                        //~ ERROR assertion failure
    if (strcmp(w, "div") == 0)
        return -1;                                      //~ UNREACHABLE
    return 0;
}
