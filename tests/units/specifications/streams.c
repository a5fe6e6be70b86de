// tine-test: fn=peek spec=libc/stdio
// The specification of streams that ships with tine.
#include <stdio.h>

int peek(char c) {
    FILE *f = fopen("/dev/null", "r");
    if (!f)
        return 1;
    if (c == 'x')
        fclose(f);
    int first = fgetc(f); //~ ERROR specification violated
    if (c != 'x')
        fclose(f);
    return first;
}
