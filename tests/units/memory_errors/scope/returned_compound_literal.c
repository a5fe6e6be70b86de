// tine-test: fn=pair
// CWE-562: an unnamed object of a function ends with the block around it. The twin's is static.
struct point {
    int x, y;
};

static struct point *make(int k) {
    struct point *p = &(struct point){k, k};
    return p;
}

static struct point *fixed(void) {
    static struct point origin = {1, 2};
    return &origin;
}

int bad(int k) {
    struct point *p = k == 90 ? make(k) : fixed();
    return p->x ^ p->y; //~ ERROR use after return
}

int good(int k) {
    struct point *p = k == 90 ? &(struct point){k, k} : fixed(); /* lives as long as `p` */
    return p->x ^ p->y;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
