// tine-test: fn=struct_small
// Structures of 1 to 16 bytes by value travel in registers, several fields to a register.
#include <tine.h>

struct one { unsigned char a; };
struct three { unsigned char a, b, c; };
struct eight { short a; int b; };
struct sixteen { int a; char b; long c; };

static int one(struct one s) { return s.a; }
static int three(struct three s) { return s.a * 65536 + s.b * 256 + s.c; }
static long eight(struct eight s) { return (long)s.b * 65536 + s.a; }
static long sixteen(struct sixteen s) { return s.c + s.b + s.a; }

int struct_small(unsigned char a, short b, int c, long d) {
    struct one s1 = {a};
    struct three s3 = {1, a, 2};
    struct eight s8 = {b, c};
    struct sixteen s16 = {b, 7, d & 0xffff};
    if (one(s1) == 3 && three(s3) != 0x010302)
        return -1;                                              //~ UNREACHABLE
    if (eight(s8) == 0x123456789L && sixteen(s16) == 0x8000)    //~ COVERED
        tine_assert(b != 0x6789);                               //~ ERROR assertion failure
    return 0;
}
