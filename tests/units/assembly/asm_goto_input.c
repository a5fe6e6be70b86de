// tine-test: fn=of_register verdict=incomplete reason="`asm goto`"
// tine-test: fn=of_memory verdict=incomplete reason="`asm goto`"
// Assembly that jumps by an input.

int of_register(int x) {
    __asm__ goto("cmpl $7, %0; je %l[yes]" : : "r"(x) : "cc" : yes);
    return 0;
yes:
    return 1;
}

int of_memory(int x) {
    __asm__ goto("cmpl $7, %0; je %l[yes]" : : "m"(x) : "cc" : yes);
    return 0;
yes:
    return 1;
}
