// tine-test: fn=ends
/* Ways out that are not conditions of the loop. */
struct node { struct node *next; };

static struct node nodes[2000];
static int table[3000];

int ends(unsigned char which) {
    int sum = 0;
    struct node *p = nodes;
    for (int k = 0; k + 1 < 2000; k++)
        nodes[k].next = &nodes[k + 1];
    switch (which) {
    case 0: for (int k = 0;; k++) sum |= 1000 / (3000 - k); //~ ERROR division by zero
    case 1: for (int k = 0;; k++) sum |= table[k]; //~ ERROR array index out of bounds
    case 2: for (;;) p = p->next; //~ ERROR null pointer dereference
    }
    return sum;
}
