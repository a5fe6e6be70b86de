// tine-test: fn=look
// Undefined variables are zero, and functions of which only the address is needed are there.
struct hidden;
extern struct hidden hidden;
extern const int table[];
extern __thread int of_thread;
extern const char *const names[3];
extern int count;
void other(int);
static void (*const handlers[2])(int) = {other, 0};

int look(int i) {
    if (i < 0 || i > 2)
        return (long)&hidden == 5;
    if (of_thread || count || names[i])
        return 1; //~ UNREACHABLE
    if (table[i] == 0 && handlers[0] == other)
        return 10 / (i - 2); //~ ERROR division by zero
    return 0;
}
