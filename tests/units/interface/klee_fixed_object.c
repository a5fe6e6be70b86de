// tine-test: program
// Memory at an address of the program's choice: twice the same, zeros at first in every run.
#include <klee/klee.h>

int main(void) {
    int *registers = (int *)0x70000010;
    klee_define_fixed_object(registers, 8192);
    klee_define_fixed_object((void *)0x70000000, 16);
    klee_assert(registers[0] == 0 && registers[2047] == 0);
    registers[0] = klee_int("x");
    registers[2047] = 9;
    klee_assert(!klee_is_symbolic(registers[2047]));
    if (registers[0] == 77)                 //~ COVERED
        klee_assert(registers[2047] != 9);  //~ ERROR assertion failure
    return 0;
}
