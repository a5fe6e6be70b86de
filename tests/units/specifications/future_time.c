// tine-test: fn=save
// A future-time formula, judged at the end of the run: what is written is flushed.
//@ spec durable {
//@   wrote := call put
//@   flush := call flush
//@   ensures always (wrote -> eventually flush)
//@ }
static int used;

static void put(int c) {
    used += c != 0;
}

static void flush(void) {
    used = 0;
}

int save(int a, int b) {
    put(a); //~ ERROR specification violated
    if (b == 77)
        return 1; // without flushing
    put(b);
    flush();
    return 0;
}
