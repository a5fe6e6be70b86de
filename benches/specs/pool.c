// A pool whose blocks are released twice when they are shared.
//@ spec blocks for each b: struct block * {
//@   made     := return block_get if result != 0
//@   shared   := call block_share
//@   released := call block_put
//@   ensures (made shared* released)*
//@ }
struct block {
    int uses;
};

static struct block pool[3];
static struct block *held[3];

struct block *block_get(int which) {
    struct block *b = &pool[which];
    if (b->uses)
        return 0;
    b->uses = 1;
    return b;
}

void block_share(struct block *b) {
    b->uses++;
}

void block_put(struct block *b) {
    b->uses = 0;
}

void user(const unsigned char steps[24]) {
    for (int i = 0; i + 1 < 24; i += 2) {
        unsigned char command = steps[i];
        int which = steps[i + 1] % 3;
        if (command == 'g') {
            struct block *b = block_get(which);
            if (b)
                held[which] = b;
        } else if (command == 's') {
            if (held[which] && held[which]->uses)
                block_share(held[which]);
        } else if (command == 'p') {
            struct block *b = held[which];
            if (b && b->uses) {
                int uses = b->uses;
                block_put(b);
                if (uses == 3)
                    block_put(b);
                else
                    held[which] = 0;
            }
        }
    }
}
