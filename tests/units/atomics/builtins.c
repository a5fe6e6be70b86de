// tine-test: fn=builtins
// The __atomic builtins, of several sizes.
#include <tine.h>

int builtins(unsigned char x, int y, unsigned long z) {
    unsigned char byte = x;
    if (__atomic_add_fetch(&byte, 1, __ATOMIC_SEQ_CST) == 0 && x != 255)
        return -1;                                                  //~ UNREACHABLE
    int smallest = -5;
    __atomic_fetch_min(&smallest, y, __ATOMIC_SEQ_CST);
    if (smallest > -5)
        return -2;                                                  //~ UNREACHABLE
    unsigned long word;
    __atomic_store_n(&word, z, __ATOMIC_RELEASE);
    __atomic_fetch_nand(&word, 0xff00ffUL, __ATOMIC_ACQ_REL);
    if (__atomic_load_n(&word, __ATOMIC_ACQUIRE) == ~0x120034UL && smallest == -77)     //~ COVERED
        tine_assert(z != 0xab12cd34UL);                             //~ ERROR assertion failure
    return 0;
}
