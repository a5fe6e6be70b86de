// tine-test: fn=pair
// CWE-126: a literal is read past its terminator. The twin reads the terminator.
static int at(const char *s, int i) { return s[i]; } //~ ERROR out-of-bounds read

int bad(int i) { return i >= 3 && i <= 4 ? at("abc", i) : 0; }
int good(int i) { return i >= 0 && i <= 3 ? at("abc", i) : 0; }
int pair(int faulty, int i) { return faulty ? bad(i) : good(i); }
