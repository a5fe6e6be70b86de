// tine-test: fn=visit
// Nested calls: each return belongs to its call, with the values of that call.
//@ spec nesting {
//@   down := call step
//@   up   := return step
//@   deep := call step if n > 3
//@   same := return step if result == old(n) * 2
//@   ensures up -> same
//@   ensures historically !deep
//@ }
static int step(int n, int lie) {
    if (n > 0)
        step(n - 1, lie);
    return n == 2 && lie == 77 ? 5 : 2 * n; //~ ERROR specification violated
}

int visit(unsigned depth, int lie) {
    if (depth > 4)
        return 0;
    return step((int)depth, lie); //~ ERROR specification violated
}
