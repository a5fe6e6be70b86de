// A state machine that reaches its privileged state without the second factor after a reset.
//@ spec authentication {
//@   password := return check_password if result
//@   token    := return check_token if result
//@   logout   := call leave
//@   secret   := call read_secret
//@   ensures historically (secret -> !logout since (token && once password))
//@ }
static int state, tries, secrets;

int check_password(int x) {
    return x == 77;
}

int check_token(int x) {
    return (x ^ 0x5a) == 0x0f;
}

void leave(void) {
    state = 0;
}

void read_secret(void) {
    secrets++;
}

void session(const unsigned char steps[24]) {
    for (int i = 0; i + 1 < 24; i += 2) {
        unsigned char command = steps[i], value = steps[i + 1];
        if (command == 'p' && state == 0) {
            if (check_password(value))
                state = 1;
            else if (++tries == 3)
                return;
        } else if (command == 't' && state == 1) {
            if (check_token(value))
                state = 2;
            else
                state = 3;
        } else if (command == 'r' && state == 3) {
            state = value == 1 ? 2 : 0;
        } else if (command == 'l') {
            leave();
        } else if (command == 's' && state == 2) {
            read_secret();
        }
    }
}
