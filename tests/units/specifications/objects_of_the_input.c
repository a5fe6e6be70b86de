// tine-test: fn=work
// Earlier events of an object of the input were not seen. An event is a violation if no history allows it.
//@ spec conn_use for each c: struct conn * {
//@   opened := return conn_up if result == 0
//@   send   := call conn_send
//@   close  := call conn_down
//@   expects (opened send* close)*
//@ }
struct conn {
    int open;
    struct conn *next;
};

int conn_up(struct conn *c) {
    c->open = 1;
    return 0;
}

void conn_send(struct conn *c) {
    c->open++;
}

void conn_down(struct conn *c) {
    c->open = 0;
}

int work(struct conn *c, int how) {
    if (!c || !c->next || c->next == c || c->open > 1000 || c->next->open > 1000)
        return 0;
    conn_send(c); // it may be open
    if (how == 1) {
        conn_down(c->next); // so may this one
        conn_send(c->next); //~ ERROR specification violated
    }
    if (how == 2)
        conn_up(c); //~ ERROR specification violated
    if (how == 3) {
        struct conn fresh = {0};
        conn_down(&fresh); //~ ERROR specification violated
    }
    conn_down(c);
    return 1;
}
