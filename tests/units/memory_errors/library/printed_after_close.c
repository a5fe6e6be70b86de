// tine-test: fn=pair
// CWE-910: a stream is written to after it was closed.
#include <stdio.h>

int bad(unsigned k) {
    FILE *file = fopen("/dev/null", "w");
    if (!file)
        return 0;
    fclose(file);
    fprintf(file, "%u", k); //~ ERROR use of a closed stream
    return 0;
}

int good(unsigned k) {
    FILE *file = fopen("/dev/null", "w");
    if (!file)
        return 0;
    fprintf(file, "%u", k);
    fclose(file);
    return 0;
}

int pair(int faulty, unsigned k) { return faulty ? bad(k) : good(k); }
