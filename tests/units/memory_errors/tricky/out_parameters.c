// tine-test: fn=f
// Out parameters through several levels, some set only where they are used.
static int parse(const char *s, int *value, const char **rest) {
    int v = 0, n = 0;
    while (*s >= '0' && *s <= '9' && n < 3) {
        v = v * 10 + *s++ - '0';
        n++;
    }
    if (n == 0)
        return 0;
    *value = v;
    if (rest)
        *rest = s;
    return n;
}

int f(char a, char b) {
    char text[3] = {a, b, 0};
    int value;
    const char *rest;
    if (!parse(text, &value, &rest))
        return -1;
    if (value == 42 && *rest == 0)
        return 1;
    int second;
    return parse(rest, &second, 0) && second == 3;
}
