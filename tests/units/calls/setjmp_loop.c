// tine-test: fn=retry paths=4
// The same mark several times; expressions computed after the jump are right.
#include <setjmp.h>
#include <tine.h>

static jmp_buf mark;

int retry(unsigned x) {
    volatile unsigned tries = 0;
    setjmp(mark);
    tries++;
    if (tries < 3u && x > tries * 100u)     //~ COVERED
        longjmp(mark, 1);
    tine_assert(tries != 3u || x != 250u);  //~ ERROR assertion failure
    return (int)tries;
}
