// tine-test: fn=reads verdict=incomplete reason="assembly"
// tine-test: fn=copies verdict=incomplete reason="assembly"
// tine-test: fn=names_variable verdict=incomplete reason="assembly"
// Assembly that reads an input in memory is counted.

int reads(int x) {
    int y;
    __asm__("movl %1, %0" : "=r"(y) : "m"(x));
    if (y == 4711)
        return 1;
    return 0;
}

int copies(int x) {
    int y;
    __asm__("movl %1, %%eax; movl %%eax, %0" : "=m"(y) : "m"(x) : "eax");
    if (y == 4711)
        return 1;
    return 0;
}

int variable;

int names_variable(int x) {
    int y;
    variable = x;
    __asm__ volatile("movl variable(%%rip), %0" : "=r"(y) : : "memory");
    if (y == 4711)
        return 1;
    return 0;
}
