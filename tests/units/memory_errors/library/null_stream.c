// tine-test: fn=pair unnoticed
// CWE-476: the result of `fopen` is not examined.
#include <stdio.h>

int bad(int n) {
    FILE *file = fopen("there is no such file", "r");
    if (n == 3)
        return fgetc(file); //~ ERROR null passed where non-null is required
    return 0;
}

int good(int n) {
    FILE *file = fopen("there is no such file", "r");
    fflush(NULL);
    if (n == 3 && file)
        return fgetc(file);
    return 0;
}

int pair(int faulty, int n) { return faulty ? bad(n) : good(n); }
