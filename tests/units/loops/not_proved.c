// tine-test: fn=filled
/* The index decides where the loop ends: after the array. */
struct list { struct list *next; int value; };

int filled(int x) {
    struct list all[2] = {{&all[1], 1}, {&all[0], x}};
    int copy[100], n = 0;
    for (struct list *l = all; l; l = l->next)
        copy[n++] = l->value; //~ ERROR array index out of bounds
    return copy[0];
}
