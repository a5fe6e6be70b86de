// tine-test: fn=halt run-timeout=60s
// A loop that does nothing at all is one at once, not when its time is up; the branch to it is one like others.
static int assume(int holds) {
    if (!holds)                             //~ COVERED
    LOOP:
        goto LOOP;                          //~ ERROR endless loop
    return 1;
}

static void stop(unsigned way) {
    unsigned i = 0;
    for (;;) i = i & 1u ? i ^ way : i + 1;  //~ ERROR endless loop
}

int halt(int x, unsigned char y) {
    if (x == 321)                           //~ COVERED
        stop(y);
    return assume(y < 200);
}
