// tine-test: fn=length
// The same with a check elsewhere: the pointer may be NULL, so the assertion can fail.
#include <assert.h>
int length(const int *p, int n) {
    if (!p && n == 0)
        return 0;
    assert(p);                  //~ ERROR assertion failure
    return *p & 1;
}
