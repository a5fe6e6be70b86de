// tine-test: fn=pair
// CWE-788: an index of a matrix inside a structure.
struct image {
    unsigned char pixels[2][4];
};

int bad(const struct image *i, unsigned x, unsigned y) {
    if (!i || x > 3 || y > 2)
        return 0;
    return i->pixels[y][x]; //~ ERROR array index out of bounds
}

int good(const struct image *i, unsigned x, unsigned y) {
    if (!i || x > 3 || y > 1)
        return 0;
    return i->pixels[y][x] + *(&i->pixels[0][0] + y * 4 + x);
}

int pair(int faulty, const struct image *i, unsigned x, unsigned y) { return faulty ? bad(i, x, y) : good(i, x, y); }
