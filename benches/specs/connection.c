// A client of a connection. After a failed login it forgets that the connection is closed, and sends once more.
//@ spec conn_use {
//@   opened := return conn_open if result == 0
//@   login  := return conn_login if result == 0
//@   send   := call conn_send
//@   close  := call conn_close
//@   ensures (opened (login send*)? close)*
//@ }
static int is_open, is_known, failures, total;

int conn_open(int port) {
    if (port < 1024)
        return -1;
    is_open = 1;
    is_known = 0;
    return 0;
}

int conn_login(int key) {
    if (key % 7 != 3) {
        failures++;
        return -1;
    }
    is_known = 1;
    return 0;
}

void conn_send(int n) {
    total += n;
}

void conn_close(void) {
    is_open = 0;
}

void client(const unsigned char steps[24]) {
    for (int i = 0; i < 24; i++) {
        unsigned char step = steps[i];
        if (step == 'o') {
            if (!is_open)
                conn_open(i < 23 ? 1000 + steps[++i] : 0);
        } else if (step == 'l') {
            if (is_open && !is_known && conn_login(i < 23 ? steps[++i] : 0) && failures == 2)
                conn_close();
        } else if (step == 's') {
            if (is_known || failures == 2)
                conn_send(step);
        } else if (step == 'c') {
            if (is_open) {
                conn_close();
                is_known = 0;
            }
        } else if (step > 'u') {
            total ^= step;
        }
    }
}
