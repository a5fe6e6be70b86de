// tine-test: fn=flags
// Bit-fields share bytes and do not touch each other.
#include <stdlib.h>

struct flags {
    unsigned kind : 3;
    signed level : 5;
    unsigned rest : 24;
};

void flags(struct flags *f) {
    if (!f)                             //~ COVERED
        return;
    unsigned rest = f->rest;
    f->level = -3;
    if (f->kind == 5 && rest == 0x123456) { //~ COVERED
        if (f->rest != rest || f->level != -3)
            abort();                    //~ UNREACHABLE
        abort();                        //~ ERROR abort
    }
}
