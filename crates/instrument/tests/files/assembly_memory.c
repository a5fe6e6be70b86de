// Assembly that may change memory.
int f(int *p) {
    __asm__ volatile("" : : "r"(p) : "memory");
    return *p > 7;
}
