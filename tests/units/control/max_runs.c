// tine-test: fn=many max-runs=20 verdict=incomplete reason="runs"
// 256 paths, of which a budget of runs allows 20.
int many(unsigned char x) {
    int ones = 0;
    for (int i = 0; i < 8; i++)
        if (x >> i & 1)             //~ COVERED
            ones++;
    return ones;
}
