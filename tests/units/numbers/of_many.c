// tine-test: fn=of_many input="v[1].u.i = 78"
// A word that is a pointer in one member of a union is a number in the others.
#include <stdlib.h>
#include <string.h>

enum tag { INT, REAL, TEXT };
struct value { enum tag tag; union { char *s; long i; double d; } u; };

int of_many(struct value *v) {
    if (v && v[0].tag == TEXT && v[0].u.s && v[0].u.s[0] == 'x' && v[1].tag == INT && v[1].u.i == 78)
        abort(); //~ ERROR abort
    return 0;
}
