// A call of code that may not be instrumented.
int puts(const char *);
int f(const char *s) { return puts(s); }
