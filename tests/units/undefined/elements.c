// tine-test: fn=some verdict=bounded reason="memory that was not written"
// tine-test: fn=late verdict=bounded reason="memory that was not written"
// tine-test: fn=all
// tine-test: fn=far verdict=bounded reason="memory that was not written"
// Elements at an index that depends on the input, some of them not written.
#include <stdlib.h>
int some(unsigned i) {
    int a[4];
    a[0] = 1;
    if (a[i & 3] == 3) abort();
    return 0;
}
int late(int n) {
    int a[300];
    for (int i = 0; i < 299; i++) a[i] = i;
    if (a[n == 3 ? 299 : 1] == 8) abort();
    return 0;
}
int all(unsigned i) {
    int a[4];
    for (int k = 0; k < 4; k++) a[k] = k;
    if (a[i & 3] == 3) return 1;                //~ COVERED
    return 0;
}
int far(int n) {
    static char *end;
    char large[100000];
    end = &large[99999];
    if (*end == n) return 1;
    return 0;
}
