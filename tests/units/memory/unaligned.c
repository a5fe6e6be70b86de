// tine-test: program
// Loads at every alignment through packed pointers, of 2, 4, 8 and 16 bytes.
#include <tine.h>

struct __attribute__((packed)) any2 { unsigned short v; };
struct __attribute__((packed)) any4 { unsigned v; };
struct __attribute__((packed)) any8 { unsigned long v; };
struct __attribute__((packed)) any16 { unsigned __int128 v; };

int main(void) {
    unsigned char raw[20];
    tine_symbolic(raw, sizeof raw, "raw");
    unsigned two = ((struct any2 *)(raw + 1))->v;
    unsigned four = ((struct any4 *)(raw + 3))->v;
    unsigned long eight = ((struct any8 *)(raw + 5))->v;
    unsigned __int128 sixteen = ((struct any16 *)(raw + 3))->v;
    if ((unsigned)sixteen != four)
        return 1;                               //~ UNREACHABLE
    if (two == 0x0201u && four == 0x04030201u && eight == 0x0807060504030201UL)
        return 2;                               //~ UNREACHABLE
    if (two == 0x2211u && four == 0x66554433u && eight >> 16 == 0xffeeddccbbaaUL)   //~ COVERED
        tine_assert(sixteen >> 120 != 0x99);    //~ ERROR assertion failure
    return 0;
}
