// tine-test: fn=handle
// The correct twin of past_time.c, with each past-time operator.
//@ spec session {
//@   login  := return login if result
//@   logout := call logout
//@   work   := call work
//@   ensures work -> (!logout since login)
//@   ensures work -> once login
//@   ensures historically (logout -> once login)
//@   ensures logout -> !previously logout
//@ }
static int login(int key) {
    return key == 0x5eed;
}

static void logout(void) {
}

static void work(void) {
}

int handle(int key, unsigned commands) {
    int is_in = login(key);
    for (int k = 0; k < 3; k++) {
        if ((commands >> 2 * k & 3) == 1 && is_in) {
            logout();
            is_in = 0;
        } else if ((commands >> 2 * k & 3) == 2 && is_in) {
            work();
        }
    }
    return 0;
}
