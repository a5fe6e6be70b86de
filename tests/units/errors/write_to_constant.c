// tine-test: fn=scribble exit=1
// Writing to memory that may only be read.
static const int fixed = 5;

int scribble(int x) {
    int *p = (int *)&fixed;
    if (x == -2024)                         //~ COVERED
        *(volatile int *)p = 6;             //~ ERROR invalid memory access
    return fixed;
}
