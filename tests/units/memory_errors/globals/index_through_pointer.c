// tine-test: fn=pair
// CWE-126: a callee indexes a global by an input.
static const char hex[16] = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

static int digit(const char *digits, unsigned i) { return digits[i]; } //~ ERROR out-of-bounds read

int bad(unsigned i) { return i <= 16 ? digit(hex, i) : 0; }
int good(unsigned i) { return digit(hex, i & 15) + digit(hex + 15, 0); }
int pair(int faulty, unsigned i) { return faulty ? bad(i) : good(i); }
