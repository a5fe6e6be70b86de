// A store whose nested transaction commits twice.
//@ spec transactions {
//@   start  := call start
//@   commit := call commit
//@   abort  := call rollback
//@   write  := call write_value
//@   ensures (start write* (commit | abort))*
//@ }
static int depth, dirty, value;

void start(void) {
    dirty = 0;
}

void commit(void) {
    dirty = 0;
}

void rollback(void) {
    dirty = 0;
}

void write_value(int x) {
    value = x;
    dirty = 1;
}

void store(const unsigned char steps[20]) {
    for (int i = 0; i < 20; i++) {
        unsigned char step = steps[i];
        if (step == 'b') {
            if (depth++ == 0)
                start();
        } else if (step == 'w') {
            if (depth > 0)
                write_value(i);
        } else if (step == 'c') {
            if (depth > 0 && (--depth == 0 || (depth == 2 && dirty)))
                commit();
        } else if (step == 'a') {
            if (depth > 0) {
                depth = 0;
                rollback();
            }
        } else if (step == 'x') {
            dirty = 0;
        }
    }
    if (depth > 0)
        rollback();
}
