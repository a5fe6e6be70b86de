// tine-test: fn=ends
/* Long loops that end, although a part of their state returns again and again. */
struct node { struct node *next; };

static struct node nodes[2000];
static int done, calls;

static void link_all(void) {
    for (int k = 0; k + 1 < 2000; k++)
        nodes[k].next = &nodes[k + 1];
}

static int called(void) { return ++calls < 5000; }

int ends(unsigned char which) {
    link_all();
    unsigned n = 0, i = 0;
    unsigned short s = 0;
    switch (which) {
    case 0: while (n < 100000) n++; break;
    case 1: for (int k = 0; k < 200; k++) for (struct node *p = nodes; p; p = p->next) n++; break;
    case 2: do s = (unsigned short)(s * 5 + 1); while (s); break;
    case 3: while (!done) if (++n == 5000) done = 1; break;
    case 4: for (int k = 0; k < 70000; k++) i = 1 - i; break;
    case 5: while (called()) i = 1 - i; break;
    case 6: for (i = 0; i < 1024; i++) n ^= 1; break;
    case 7: for (i = 0; i < 1025; i++) n ^= 1; break;
    case 8: for (i = 0; i < 5120; i++) n ^= 1; break;
    case 9: for (i = 0; i < 66560; i++) n ^= 1; break;
    case 10: for (double x = 0; x < 5000; x += 0.5) n++; break;
    case 11: for (unsigned __int128 k = 0; k < 5000; k++) n ^= 1; break;
    case 12: {
        unsigned a = 0, b = 1, c = 0, d = 1, turns = 0;
        while (a + b + c + d != 9 && turns < 5000) { a ^= 1; b ^= 1; c ^= 1; d ^= 1; turns++; }
        break;
    }
    case 13: {
        int left[2] = {3000, 3000};
        for (i = 0; left[i] > 0; i ^= 1) left[i]--;
        break;
    }
    case 14: for (struct node *p = nodes, *q = nodes; q; q = p == nodes ? q->next : q) p = p == nodes ? nodes + 1 : nodes; break;
    case 15: for (i = 2000; i; i--) for (unsigned j = 0; j < 3; j++) n++; break;
    }
    return (int)(n + i);
}
