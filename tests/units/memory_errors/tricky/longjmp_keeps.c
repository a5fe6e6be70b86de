// tine-test: fn=f verdict=bounded
// A jump over frames whose arrays were half set; the frames are used again.
#include <setjmp.h>
#include <string.h>

static jmp_buf out;

static void deep(int n, int k) {
    char room[24];
    room[n] = (char)k;
    if (n == 3 && k > 10)
        longjmp(out, 1);
    if (n < 3)
        deep(n + 1, k);
    if (room[n] == 4)
        return;
}

static int again(int k) {
    char text[24];
    strcpy(text, "abc");
    return text[k & 3] == 'b';
}

int f(int k) {
    volatile int tries = 0;
    if (setjmp(out) == 0)
        deep(0, k);
    else
        tries = 1;
    if (again(k))
        return 2;
    return tries;
}
