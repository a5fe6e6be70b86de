// tine-test: program paths=1024
// A protocol as a state machine: connect, log in, send, close; events out of order are ignored. Who closes
// the connection stays logged in, so the next one may send without a password: five events in the right order.
//
// tine tries every sequence of five events: 1024 paths, one error.
#include <tine.h>

enum state { CLOSED, OPEN };
enum event { CONNECT, LOGIN, SEND, CLOSE };

static enum state state = CLOSED;
static int logged_in;
static int logins;              // in this connection

static void handle(enum event event) {
    switch (event) {
    case CONNECT:
        if (state == CLOSED) {  //~ COVERED
            state = OPEN;
            logins = 0;
        }
        break;
    case LOGIN:
        if (state == OPEN) {    //~ COVERED
            logged_in = 1;
            logins++;
        }
        break;
    case SEND:
        if (state == OPEN && logged_in)     //~ COVERED
            tine_assert(logins > 0);        //~ ERROR assertion failure
        break;
    case CLOSE:
        state = CLOSED;         // the login should end here
        break;
    }
}

int main(void) {
    for (int step = 0; step < 5; step++)
        handle((enum event)tine_choice(4, "event"));
    return 0;
}
