// tine-test: fn=evaluate input="v.u.i = 77" verdict=bounded reason=--any-enum
// tine-test: fn=evaluate input="v.u.d = 0x1.4p+1 (2.5)" verdict=bounded reason=--any-enum
// tine-test: fn=evaluate input="v.tag = TEXT, v.u.s = " verdict=bounded reason=--any-enum
// A word that is a pointer in one member of a union is a number in the others.
#include <stdlib.h>
#include <string.h>

enum tag { INT, REAL, TEXT };
struct value { enum tag tag; union { char *s; long i; double d; } u; };

int evaluate(struct value v) {
    switch (v.tag) {
    case INT:
        if (v.u.i == 77)
            abort(); //~ ERROR abort
        return v.u.i > 100 && v.u.i < 200; //~ COVERED
    case REAL:
        if (v.u.d == 2.5)
            abort(); //~ ERROR abort
        return 0;
    case TEXT:
        if (v.u.s && !strcmp(v.u.s, "ab"))
            abort(); //~ ERROR abort
        return 0;
    }
    return 1;
}
