// Two locks that are taken in one order, except on one way after an error.
//@ spec lock_order {
//@   first   := call lock if which == 1
//@   second  := call lock if which == 2
//@   unfirst := call unlock if which == 1
//@   unsecond := call unlock if which == 2
//@   ensures (first (second unsecond)* unfirst | second unsecond)*
//@ }
static int held[3], errors;

void lock(int which) {
    held[which]++;
}

void unlock(int which) {
    held[which]--;
}

static void update(int value, int deep) {
    lock(1);
    if (deep) {
        lock(2);
        if (value == 200)
            errors++;
        unlock(2);
    }
    unlock(1);
}

static void repair(void) {
    lock(2);
    if (errors > 2) {
        lock(1);
        errors = 0;
        unlock(1);
    }
    unlock(2);
}

void worker(const unsigned char steps[24]) {
    for (int i = 0; i + 1 < 24; i += 2) {
        if (steps[i] == 'u')
            update(steps[i + 1], 0);
        else if (steps[i] == 'd')
            update(steps[i + 1], 1);
        else if (steps[i] == 'r')
            repair();
        else if (steps[i] == 'e')
            errors = 0;
    }
}
