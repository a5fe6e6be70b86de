// tine-test: fn=client paths=6
// A call protocol per object: the unit calls `conn_send` without an open connection, and after closing it.
//@ spec conn_use for each c: struct conn * {
//@   opened := return conn_open if result == 0
//@   send   := call conn_send
//@   close  := call conn_close
//@   expects (opened send* close)*
//@ }
struct conn {
    int open;
    int sent;
};

int conn_open(struct conn *c, int port) {
    if (port < 1) //~ COVERED
        return -1;
    c->open = 1;
    return 0;
}

void conn_send(struct conn *c, int n) {
    c->sent = n;
}

void conn_close(struct conn *c) {
    c->open = 0;
}

int client(int port, int mode, int n) {
    struct conn c = {0};
    int failed = conn_open(&c, port);
    if (mode == 7 && failed) {
        conn_send(&c, n); //~ ERROR specification violated
        return 1;
    }
    if (!failed) {
        if (n > 1000)
            conn_close(&c);
        conn_send(&c, 1); //~ ERROR specification violated
        conn_close(&c);
    }
    return 0;
}
