// tine-test: fn=text_then_int verdict=bounded reason="pointers to characters"
// tine-test: fn=int_then_text verdict=bounded reason="pointers to characters"
// tine-test: fn=bytes_then_text verdict=bounded reason="pointers to characters"
// tine-test: fn=int_first
// tine-test: fn=only_read
// That a `char *` leads into another object is not tried. It matters if one is written before the other is read.

int text_then_int(char *s, int *n) {
    if (!s || !n)
        return 0;
    s[0] = 1;
    return *n == 3;
}

int int_then_text(const char *s, long *n) {
    if (!s || !n)
        return 0;
    *n = 7;
    return s[0] == 'a';
}

int bytes_then_text(unsigned char *b, const char *s) {
    if (!b || !s)
        return 0;
    b[0] = 1;
    return s[0] == 'a';
}

int int_first(char *s, int *n) {
    if (!s || !n)
        return 0;
    int k = *n;
    s[0] = 1;
    return k == 3;
}

int only_read(const char *s, const int *n) {
    if (!s || !n)
        return 0;
    return s[0] == 'a' && *n == 3;
}
