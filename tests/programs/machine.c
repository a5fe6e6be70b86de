// tine-test: fn=machine
// A stack machine with computed jumps and a table of functions.
static int add(int a, int b) { return a + b; }
static int less(int a, int b) { return a < b; }     //~ GCOV suite
static int both(int a, int b) { return a && b; }
static int (*const operators[])(int, int) = {add, less, both};

int machine(unsigned char first, unsigned char second, unsigned char third) {
    static void *const labels[] = {&&push, &&apply, &&stop};
    unsigned char code[] = {first, second, third, 2};
    int stack[6] = {1, 2}, top = 2, at = 0;
    for (int i = 0; i < 3; i++)
        if (code[i] % 4 > 2)
            return -1;
    goto *labels[code[at] & 3];
push:
    stack[top++] = code[at] >> 2;
    goto *labels[code[++at] & 3];
apply:
    if (top < 2 || code[at] >> 2 > 2)
        return -2;
    top--;
    stack[top - 1] = operators[code[at] >> 2](stack[top - 1], stack[top]);
    goto *labels[code[++at] & 3];
stop:
    return top == 2 || (at > 1 && stack[top - 1] > 60) ? stack[top - 1] : 0;
}
