// tine-test: fn=client
// The correct twin: several connections at the same time, each used by its protocol, other calls in between.
//@ spec conn_use for each c: struct conn * {
//@   opened := return conn_open if result == 0
//@   send   := call conn_send
//@   close  := call conn_close
//@   expects (opened send* close)*
//@ }
struct conn {
    int open;
};

int conn_open(struct conn *c, int port) {
    if (port < 1)
        return -1;
    c->open = 1;
    return 0;
}

void conn_send(struct conn *c, int n) {
    (void)c, (void)n;
}

void conn_close(struct conn *c) {
    c->open = 0;
}

int client(int first, int second, int n) {
    struct conn a, b;
    if (conn_open(&a, first))
        return 1;
    if (conn_open(&b, second) == 0) {
        conn_send(&b, n);
        conn_send(&a, n);
        conn_close(&b);
    }
    conn_send(&a, n);
    conn_close(&a);
    if (conn_open(&a, second) == 0)
        conn_close(&a);
    return 0;
}
