// tine-test: fn=switched
// tine-test: fn=both
// tine-test: fn=distance
// tine-test: fn=bytes_of_it
// tine-test: fn=remainder
// tine-test: fn=divided
// tine-test: fn=filled
// tine-test: fn=tagged
// tine-test: fn=looked_up verdict=bounded reason="addresses of input objects"
// tine-test: fn=variable verdict=incomplete reason="the program's own variables"
// A path that has used a pointer says which object it leads to, but not where that object lies.
#include <stdint.h>
#include <string.h>
#include <tine.h>

int switched(char *p) {
    if (!p)
        return 0;
    *p = 1;
    switch ((uintptr_t)p & 3) {                                         //~ COVERED
    case 1: return 1;
    case 3: return 3;
    default: return 2;
    }
}

int both(int *p, int *q, int x) {
    if (!p || !q)
        return 0;
    *p = 1;
    *q = 2;
    tine_assert(!((p > q) & (x == 1)));                                 //~ ERROR assertion failure
    return 1;
}

int distance(int *p, int *q, int x) {
    if (!p || !q)
        return 0;
    *p = 1;
    *q = 2;
    if (q - p == x) {                                                   //~ COVERED
        tine_assert(x != 9);                                            //~ ERROR assertion failure
        if (x == 0 && *p == 1)
            return -1;                                                  //~ UNREACHABLE
    }
    return 1;
}

int bytes_of_it(int *p) {
    if (!p)
        return 0;
    *p = 1;
    uintptr_t bits = (uintptr_t)p;
    unsigned sum = 0;
    for (int i = 0; i < 8; i++)
        sum += ((unsigned char *)&bits)[i];
    tine_assert(sum != 0x99);                                           //~ ERROR assertion failure
    return 1;
}

int remainder(char *p, unsigned x) {
    if (!p)
        return 0;
    *p = 1;
    if (((uintptr_t)p & 7) == x) {                                      //~ COVERED
        tine_assert(x != 6);                                            //~ ERROR assertion failure
        if (x == 8)
            return -1;                                                  //~ UNREACHABLE
    }
    return 1;
}

int divided(char *p) {
    if (!p)
        return 0;
    *p = 1;
    return 10 / (((uintptr_t)p & 7) - 3);                               //~ ERROR division by zero
}

int filled(char *p) {
    if (!p)
        return 0;
    *p = 1;
    char bytes[8] = {0};
    memset(bytes, 1, (uintptr_t)p & 7);
    tine_assert(!(bytes[4] == 1 && bytes[5] == 0));                     //~ ERROR assertion failure
    return 1;
}

int tagged(int *p) {
    if (!p)
        return 0;
    *p = 1;
    uintptr_t word = (uintptr_t)p | 1;
    int *q = (int *)(word & ~(uintptr_t)1);
    if (*q != 1)
        return -1;                                                      //~ UNREACHABLE
    return 1;
}

int looked_up(char *p) {
    static const char names[8] = "abcdefgh";
    if (!p)
        return 0;
    *p = 1;
    if (names[(uintptr_t)p & 7] == 'f')
        return 2;
    return 1;
}

int variable_of_the_program[4];

int variable(int *p) {
    if (!p)
        return 0;
    *p = 1;
    if (p == variable_of_the_program)
        return 2;
    return 1;
}
