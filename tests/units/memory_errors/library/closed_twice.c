// tine-test: fn=pair
// CWE-1341: a stream is closed twice. The twin forgets it.
#include <stdio.h>

int bad(unsigned k) {
    FILE *file = fopen("/dev/null", "w");
    if (!file)
        return 0;
    fclose(file);
    if (k == 7)
        fclose(file); //~ ERROR use of a closed stream
    return 0;
}

int good(unsigned k) {
    FILE *file = fopen("/dev/null", "w");
    if (!file)
        return 0;
    fclose(file);
    file = NULL;
    if (k == 7 && file)
        fclose(file);
    return 0;
}

int pair(int faulty, unsigned k) { return faulty ? bad(k) : good(k); }
