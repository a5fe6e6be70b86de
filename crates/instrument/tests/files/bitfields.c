struct bits {
    unsigned low : 3, high : 5;
};
int f(struct bits *b) {
    b->high = b->low;
    return b->high == 3;
}
