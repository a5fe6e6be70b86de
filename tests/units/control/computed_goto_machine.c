// tine-test: fn=machine
// An interpreter with a table of labels, and one with distances between labels.
#include <tine.h>

static int distances(int x, unsigned char op) {
    static const int table[] = {&&add - &&add, &&twice - &&add, &&negate - &&add};
    goto *(&&add + table[op % 3]);
add:
    return x + 3;
twice:
    return x * 2;
negate:
    return -x;
}

int machine(unsigned char a, unsigned char b) {
    static void *const operations[] = {&&halt, &&increment, &&shift, &&call};
    unsigned char code[3] = {a & 3, b & 3, 0};
    int sum = 1;
    unsigned pc = 0;
#define NEXT goto *operations[code[pc++]]
    NEXT;
increment:
    sum += 5;
    NEXT;
shift:
    sum <<= sum & 3;
    NEXT;
call:
    sum = distances(sum, (unsigned char)sum);
    NEXT;
halt:
    tine_assert(sum != 48);             // 1 + 5 = 6, 6 << 2 = 24
    tine_assert(sum != 24);             //~ ERROR assertion failure
    return sum;
}
