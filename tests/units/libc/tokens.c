// tine-test: program
// Words of a line that is an input.
#include <string.h>
#include <tine.h>

int main(void) {
    char line[5];
    tine_symbolic(line, 4, "line");
    line[4] = 0;
    char *first = strtok(line, " ");
    if (!first)                                     //~ COVERED
        return 0;
    char *second = strtok(NULL, " ");
    if (second)                                     //~ COVERED
        tine_assert(strcmp(second, "go") != 0);     //~ ERROR assertion failure
    return 1;
}
