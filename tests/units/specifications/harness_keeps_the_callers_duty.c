// tine-test: fn=send_twice paths=2
// `expects` binds the caller. Where the caller is the harness, it is a precondition.
//@ spec ready for each q: struct queue * {
//@   full := call send_twice if q && q->n > 6
//@   put  := call put
//@   expects put*
//@ }
struct queue {
    unsigned char n;
    char items[8];
};

static void put(struct queue *q, char item) {
    q->items[q->n++] = item; // never past the end: a full queue is not an input
}

int send_twice(struct queue *q, char item) {
    if (!q)
        return -1;
    put(q, item);
    put(q, item);
    return 0;
}
