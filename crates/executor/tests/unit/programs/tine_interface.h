// The entry points that `include/tine.h` uses.
void __tine_input(void *to, unsigned long size, const char *name, unsigned kind);
unsigned __tine_choice(unsigned n, const char *name);
_Noreturn void __tine_reject(void);
void __tine_fail(unsigned kind, const char *message, const char *file, unsigned line);
