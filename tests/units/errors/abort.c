// tine-test: fn=give_up paths=2 exit=1
// A call of abort.
#include <stdlib.h>

int give_up(unsigned x) {
    if ((x ^ 0x5555u) == 0x1234u)
        abort();                            //~ ERROR abort
    return 0;
}
