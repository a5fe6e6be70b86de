// tine-test: fn=halves
// tine-test: fn=bytes
// tine-test: fn=anonymous
// tine-test: fn=array
// tine-test: fn=nested
// tine-test: fn=function
// tine-test: fn=bits
// tine-test: fn=later
// tine-test: fn=copied
// A pointer beside every other kind of member, in every place.
#include <stdlib.h>
#include <string.h>

struct halves { union { struct { int a, b; } ab; char *s; } u; };
int halves(struct halves v) {
    if (v.u.ab.a == 3 && v.u.ab.b == 9)
        abort(); //~ ERROR abort
    return 0;
}

union bytes { char *s; unsigned char b[8]; };
int bytes(union bytes *v) {
    if (v && v->b[0] == 'a' && v->b[7] == 'z' && !memcmp(v->b + 1, "bcd", 3))
        abort(); //~ ERROR abort
    return 0;
}

struct anonymous { int tag; union { int *p; unsigned n; }; };
int anonymous(struct anonymous *v) {
    if (v && v->tag == 1 && v->p && *v->p == 4)
        abort(); //~ ERROR abort
    if (v && v->tag == 2 && v->n == 40)
        abort(); //~ ERROR abort
    return 0;
}

struct array { union { int *p; long n; } of[3]; };
int array(struct array v) {
    if (v.of[0].p && *v.of[0].p == 7 && v.of[2].n == -1)
        abort(); //~ ERROR abort
    return 0;
}

struct nested { struct { union { struct { long first; int *p; } a; struct { long first, second; } b; } in; } out; };
int nested(struct nested *v) {
    if (v && v->out.in.b.first == 1 && v->out.in.b.second == 123456789012)
        abort(); //~ ERROR abort
    return 0;
}

static int one(void) { return 1; }
int (*taken)(void) = one;
struct function { int tag; union { int (*f)(void); long n; } u; };
int function(struct function v) {
    if (v.tag == 0 && v.u.n == 55)
        abort(); //~ ERROR abort
    if (v.tag == 1 && v.u.f && v.u.f() == 1)
        abort(); //~ ERROR abort
    return 0;
}

struct bits { union { void *p; struct { unsigned low : 3, high : 5; } f; } u; };
int bits(struct bits v) {
    if (v.u.f.low == 5 && v.u.f.high == 17)
        abort(); //~ ERROR abort
    return 0;
}

struct later { long n; union { double d; struct later *next; } u; };
int later(struct later *v) {
    if (v && v->n == 1 && v->u.next && v->u.next->n == 2 && v->u.next->u.d > 1e10)
        abort(); //~ ERROR abort
    return 0;
}

struct copied { int tag; union { long n; char *s; } u; };
int copied(struct copied *from) {
    if (!from)
        return 0;
    struct copied to = *from;
    if (to.tag == 1 && to.u.n * 3 == 333) //~ ERROR signed integer overflow
        abort(); //~ ERROR abort
    return 0;
}
