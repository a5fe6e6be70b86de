// A buffer that is not flushed before the end if the last write was empty.
//@ spec flushed {
//@   write := call buffer_write if n > 0
//@   flush := call buffer_flush
//@   ensures always (write -> eventually flush)
//@ }
static int pending, flushed, quiet;

void buffer_write(int n) {
    pending += n;
}

void buffer_flush(void) {
    flushed += pending;
    pending = 0;
}

void printer(const unsigned char steps[16]) {
    int empty = 0;
    for (int i = 0; i + 1 < 16; i += 2) {
        if (steps[i] == 'w') {
            buffer_write(steps[i + 1]);
            empty = steps[i + 1] == 0;
        } else if (steps[i] == 'f') {
            buffer_flush();
        } else if (steps[i] == 'k') {
            quiet++;
        } else if (steps[i] == 'q') {
            break;
        }
    }
    if (pending && !(empty && quiet == 2))
        buffer_flush();
    else if (!pending)
        buffer_flush();
}
