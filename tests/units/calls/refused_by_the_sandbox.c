// tine-test: fn=f verdict=bounded reason="sandbox refused"
// A program goes another way because a call was refused.
#include <stdlib.h>
#include <sys/socket.h>
int f(int x) {
    if (socket(AF_INET, SOCK_STREAM, 0) < 0)
        return 1;
    if (x == 4711)
        abort();
    return 0;
}
