// tine-test: program
// What sorting decides is decided by the comparison; results keep their expressions.
#include <stdlib.h>
#include <tine.h>

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    int v[3];
    tine_symbolic(v, sizeof v, "v");
    qsort(v, 3, sizeof *v, compare);
    tine_assert(v[0] <= v[1] && v[1] <= v[2]);
    if (v[1] == 77)                                 //~ COVERED
        tine_assert(v[0] != 76 || v[2] != 78);      //~ ERROR assertion failure
    int key = 5, *found = bsearch(&key, v, 3, sizeof *v, compare);
    tine_assert(!found || *found == 5);
    return 0;
}
