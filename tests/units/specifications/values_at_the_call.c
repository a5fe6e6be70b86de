// tine-test: fn=push
// Conditions over the result, parameters, memory and values at the call (`old`), also in recursive calls.
//@ spec counts for each s: struct stack * {
//@   good := return push if !s || s->n == old(s ? s->n : 0) + (result == 0)
//@   any  := return push
//@   ensures any -> good
//@ }
struct stack {
    unsigned char n;
    short items[4];
};

int push(struct stack *s, short item) {
    if (!s)
        return -2;
    if (s->n >= 4)
        return -1;
    if (item == 1234) {
        s->n++;
        return -1; //~ ERROR specification violated
    }
    s->items[s->n++] = item;
    return 0;
}
