// tine-test: fn=drop max-objects=4 verdict=incomplete reason="overlap"
// Each cell has one owner, and is freed once.
#include <stdlib.h>

struct cell {
    struct cell *first;
    struct cell *second;
};
void drop(struct cell *c) {
    if (!c)
        return;
    free(c->first);
    free(c->second); //~ REQUIRES no circle of cell.first //~ REQUIRES no cell with two owners
}
