// A call through a pointer is a site without a name.
int f(int (*g)(int), int x) { return g(x); }
