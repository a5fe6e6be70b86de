// tine-test: fn=pair
// CWE-562: an output parameter keeps the address of a local array.
struct view {
    char *data;
    int length;
};

static void open_view(struct view *v, char *own) {
    char local[4];
    v->data = own ? own : local;
    v->data[0] = 1;
    v->length = 1;
}

int bad(int k) {
    char buffer[4];
    struct view v;
    open_view(&v, k == 10 ? 0 : buffer);
    v.data[v.length] = 2; //~ ERROR use after return
    return v.data[0];
}

int good(int k) {
    char buffer[4];
    struct view v;
    open_view(&v, k == 10 ? buffer + 2 : buffer);
    v.data[v.length] = 2;
    return v.data[0];
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
