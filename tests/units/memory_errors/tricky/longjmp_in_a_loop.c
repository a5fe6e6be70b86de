// tine-test: fn=pair
// CWE-121: frames are left by `longjmp` again and again, and the stack is used anew by other functions each time.
#include <setjmp.h>
#include <string.h>

static jmp_buf back;

static void leave(int depth) {
    char local[32];
    memset(local, depth, sizeof local);
    if (depth == 0)
        longjmp(back, 1 + local[0]);
    leave(depth - 1);
}

static int other(int n) {
    int a[8], *p = a;
    for (int i = 0; i < n; i++)
        *p++ = i; //~ ERROR out-of-bounds write
    return a[0];
}

static int run(int k, int limit) {
    volatile int rounds = 0, s = 0;
    setjmp(back);
    s += other(k == 44 ? limit : 1);
    if (++rounds < 4)
        leave(rounds);
    return s;
}

int bad(int k) { return run(k, 9); }
int good(int k) { return run(k, 8); }
int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
