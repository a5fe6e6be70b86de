// tine-test: fn=many paths=256
// Every combination of eight branches.
int many(unsigned char x) {
    int ones = 0;
    for (int i = 0; i < 8; i++)
        if (x >> i & 1)             //~ COVERED
            ones++;
    return ones;
}
