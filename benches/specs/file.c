// A log that is closed at its limit, and written to once more when a message is long.
//@ spec log_use {
//@   opened := return log_open if result
//@   write  := call log_write
//@   close  := call log_close
//@   ensures (opened write* close)*
//@ }
static int is_open, written;

int log_open(int allowed) {
    is_open = allowed;
    return allowed;
}

void log_write(int n) {
    written += n;
}

void log_close(void) {
    is_open = 0;
}

static void message(int length) {
    while (length > 0) {
        if (!is_open)
            return;
        int part = length > 40 ? 40 : length;
        log_write(part);
        length -= part;
        if (written > 150) {
            log_close();
            written = 0;
            if (length > 0 && length < 7)
                log_write(length);
        }
    }
}

void logger(const unsigned char steps[16]) {
    for (int i = 0; i + 1 < 16; i += 2) {
        if (steps[i] == 'o' && !is_open)
            log_open(steps[i + 1] > 10);
        else if (steps[i] == 'm')
            message(steps[i + 1]);
        else if (steps[i] == 'c' && is_open)
            log_close();
        else if (steps[i] == 'z')
            written = 0;
    }
    if (is_open)
        log_close();
}
