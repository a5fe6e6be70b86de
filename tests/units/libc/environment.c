// tine-test: program
// A variable that is set to an input is that input when it is asked for.
#include <stdlib.h>
#include <string.h>
#include <tine.h>

int main(void) {
    char name[2] = "", value[4] = "", assignment[] = "B=?";
    tine_symbolic(name, 1, "name");
    tine_symbolic(value, 3, "value");
    assignment[2] = value[0];
    setenv("A", value, 1);
    putenv(assignment);
    if (strcmp(getenv("A"), "on") == 0)             //~ COVERED
        tine_assert(getenv("B")[0] == 'o');
    if (name[0] == 'A' && value[0] == 'u')       //~ COVERED
        tine_assert(strcmp(getenv(name), "up"));    //~ ERROR assertion failure
    unsetenv("A");
    tine_assert(!getenv("A"));
    return 0;
}
