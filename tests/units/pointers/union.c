// tine-test: fn=tagged
// A union: its bytes are read as what the tag says.
#include <stdlib.h>

struct value {
    enum { NUMBER, TEXT } tag;
    union {
        unsigned number;
        unsigned char bytes[4];
    } as;
};

void tagged(struct value *v) {
    if (!v)                                     //~ COVERED
        return;
    if (v->tag == TEXT) {                       //~ COVERED
        if (v->as.bytes[1] == 'x' && v->as.bytes[2] == 'y' && v->as.number == 0x41797842) //~ COVERED
            abort();                            //~ ERROR abort
    } else if (v->as.number == 77) {            //~ COVERED
        abort();                                //~ ERROR abort
    }
}
