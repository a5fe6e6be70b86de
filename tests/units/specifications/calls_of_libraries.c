// tine-test: fn=run
// Functions of libraries are monitored where they are called: directly, by pointers, and with variable arguments.
//@ spec closing { done := call int close(int fd)
//@   ensures done? }
//@ spec printing { print := call int fprintf(FILE *f, const char *format) if f == stderr
//@   ensures historically !print }
//@ spec comparing { compare := call compare if *(const char *)a == *(const char *)b
//@   ensures historically !compare }
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int compare(const void *a, const void *b) {
    return *(const char *)a - *(const char *)b; //~ ERROR specification violated
}

static int (*const closers[2])(int) = {close, close};

static int twice(int (*f)(int)) {
    return f(-1) + f(-1); //~ ERROR specification violated
}

int run(int how, char first, char second) {
    int (*print)(FILE *, const char *, ...) = how == 5 ? fprintf : 0;
    char both[2] = {first, second};
    switch (how) {
    case 1:
        close(-1);
        return close(-1); //~ ERROR specification violated
    case 2:
        closers[0](-1);
        return closers[1](-1); //~ ERROR specification violated
    case 3:
        return twice(close);
    case 4:
        return fprintf(stderr, "%d %s", 4, "x"); //~ ERROR specification violated
    case 5:
        return print(stderr, "%d %s", 5, "x"); //~ ERROR specification violated
    case 6:
        qsort(both, 2, 1, compare);
        return 0;
    default:
        return fprintf(stdout, "%d\n", 0) + close(-1);
    }
}
