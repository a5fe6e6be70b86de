// tine-test: fn=pair
// CWE-787: a literal is written, which memory protection forbids. The twin writes an array initialised by it.
static void upper(char *s) { s[0] = (char)(s[0] - 32); } //~ ERROR invalid memory access

int bad(int k) {
    char *s = "abc", copy[] = "abc";
    upper(k == 37 ? s : copy);
    return copy[0];
}

int good(int k) {
    static char text[] = "abc";
    char copy[] = "abc";
    upper(k == 37 ? text : copy);
    text[0] = 'a';
    return copy[0];
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
