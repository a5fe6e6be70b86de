// tine-test: program
// Constraints go through every comparison, with and without a length, a case, an end.
#include <string.h>
#include <strings.h>
#include <tine.h>

int main(void) {
    char text[6];
    tine_symbolic(text, 5, "text");
    text[5] = 0;
    tine_assert(strcmp(text, "hello") != 0);            //~ ERROR assertion failure
    if (strncmp(text, "hallo", 3) == 0)                 //~ COVERED
        tine_assert(memcmp(text + 3, "xy", 3) != 0);    //~ ERROR assertion failure
    if (strcasecmp(text, "quIt") == 0)                  //~ COVERED
        tine_assert(text[0] != 'Q' || text[3] != 'T');  //~ ERROR assertion failure
    if (strcmp(text, "b") > 0 && text[0] == 'b')        //~ COVERED
        tine_assert(text[1] != 0);
    return 0;
}
