// tine-test: program
// Fields of a line that is an input.
#include <stdio.h>
#include <string.h>
#include <tine.h>

int main(void) {
    char line[6], word[6];
    int n = 0;
    tine_symbolic(line, 5, "line");
    line[5] = 0;
    if (sscanf(line, "%1[a-c]=%d", word, &n) == 2)          //~ COVERED
        tine_assert(n != 765 || word[0] != 'b');            //~ ERROR assertion failure
    return 0;
}
