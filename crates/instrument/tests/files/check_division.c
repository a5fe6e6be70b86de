// flags: -fsanitize=integer-divide-by-zero
// A sanitizer check is a site of its own, with the side that fails.
int f(int x) { return 10 / x; }
