// A driver that starts a transfer while the device is being reset.
//@ spec device {
//@   restart := call reset
//@   ready := return is_ready if result
//@   begun := call begin_transfer
//@   ended := call end_transfer
//@   ensures (restart | ready+ (begun ended)?)*
//@ }
static int powered, count, waiting;

void reset(void) {
    powered = 0;
    count++;
}

int is_ready(int level) {
    powered = level > 100;
    return powered;
}

void begin_transfer(void) {
    waiting = 1;
}

void end_transfer(void) {
    waiting = 0;
}

void driver(const unsigned char steps[24]) {
    for (int i = 0; i + 1 < 24; i += 2) {
        unsigned char command = steps[i], value = steps[i + 1];
        if (command == 'r')
            reset();
        else if (command == 'q')
            is_ready(value);
        else if (command == 't' && (powered || count == 3)) {
            begin_transfer();
            end_transfer();
            powered = 0;
        } else if (command == 'z')
            count = 0;
    }
}
