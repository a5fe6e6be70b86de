// tine-test: fn=protocol
// A connection as a state machine.
enum state { CLOSED, LISTEN, OPEN, HALF_OPEN, FAILED };
enum event { PASSIVE = 1, ACTIVE, SYN, FIN, RESET = 9 };

static enum state next(enum state state, int event) {
    switch (state) {
    case CLOSED:
        return event == PASSIVE ? LISTEN : event == ACTIVE ? OPEN : CLOSED;   //~ GCOV choice
    case LISTEN:
        if (event == SYN)
            return OPEN;
        break;
    case OPEN:
        if (event == FIN)
            return HALF_OPEN;
        // fall through
    case HALF_OPEN:
        if (event == RESET || event == FIN)
            return CLOSED;
        break;
    case FAILED:
        return FAILED;
    }
    return event < 0 ? FAILED : state;
}

int protocol(int a, int b, int c) {
    enum state state = next(next(next(CLOSED, a), b), c);
    int is_up = state == OPEN || state == HALF_OPEN;
    return is_up && a != b;
}
