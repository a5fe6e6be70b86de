// tine-test: fn=pair
// CWE-121: an index leaves the array of a structure and hits the next member.
struct account {
    char name[4];
    int admin;
};

int bad(unsigned i) {
    struct account a = {"", 0};
    if (i < sizeof a)
        a.name[i] = 1; //~ ERROR array index out of bounds
    return a.admin;
}

int good(unsigned i) {
    struct account a = {"", 0};
    unsigned char *bytes = (unsigned char *)&a; /* the bytes of the whole structure */
    if (i < sizeof a)
        bytes[i] = 1;
    return a.admin != 0;
}

int pair(int faulty, unsigned i) { return faulty ? bad(i) : good(i); }
