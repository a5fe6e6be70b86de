// tine-test: fn=first
// tine-test: fn=first max-elements=2
// Functions of streams that have no model are given streams, too, as many as there are parameters.
#include <stdio.h>
#include <stdlib.h>

int first(FILE *from, FILE *to, int c) {
    if (c == 7 && to && fputc(7, to) == 7 && from != to) //~ COVERED but 1: writing never fails
        abort(); //~ ERROR abort
    return 0;
}
