// tine-test: fn=handle
// A past-time formula, checked at each event: work needs a login that no logout followed.
//@ spec session {
//@   login  := return login if result
//@   logout := call logout
//@   work   := call work
//@   ensures work -> (!logout since login)
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
        switch (commands >> 2 * k & 3) {
        case 1:
            logout(); // forgets to clear `is_in`
            break;
        case 2:
            if (is_in)
                work(); //~ ERROR specification violated
            break;
        default:
            break;
        }
    }
    return 0;
}
