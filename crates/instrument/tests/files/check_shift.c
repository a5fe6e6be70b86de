// flags: -fsanitize=shift
int f(int x) { return 1 << x; }
