// tine-test: fn=save max-runs=40 run-timeout=200ms
// A run that ends in any regular way is judged at its end, and one that is cut off is not.
//@ spec durable {
//@   wrote := call put
//@   flush := call flush
//@   ensures always (wrote -> eventually flush)
//@ }
#include <stdlib.h>
#include <unistd.h>

static int used;

static void put(int c) { used += c != 0; }
static void flush(void) { used = 0; }

int save(int how) {
    switch (how) {
    case 1:
        put(how); //~ ERROR specification violated
        _exit(0);
    case 2:
        put(how); //~ ERROR specification violated
        exit(0);
    case 3:
        put(how); //~ ERROR specification violated
        quick_exit(0);
    case 4:
        put(how); //~ ERROR specification violated
        return 1;
    case 5:
        put(how);
        abort(); //~ ERROR abort
    default:
        put(how);
        flush();
        return 0;
    }
}
