// A bounded queue. An element that is returned to a full queue is counted twice.
//@ spec queue_use {
//@   put  := return put if result == 0
//@   take := return take if result >= 0
//@   full := return is_full if result
//@   ensures historically (take -> previously once put)
//@   ensures always (full -> next !put)
//@ }
static int items[4], first, count;

int is_full(void) {
    return count >= 4;
}

int put(int x) {
    if (count > 4)
        return -1;
    items[(first + count++) & 3] = x;
    return 0;
}

int take(void) {
    if (!count)
        return -1;
    int x = items[first];
    first = (first + 1) & 3;
    count--;
    return x & 0xff;
}

void producer(const unsigned char steps[20]) {
    int urgent = 0;
    for (int i = 0; i < 20; i++) {
        unsigned char step = steps[i];
        if (step < 'a') {
            if (step & 1)
                urgent = 0;
        } else if (step == 'p') {
            if (!is_full() || urgent)
                put(step);
        } else if (step == 't') {
            take();
        } else if (step == 'u') {
            urgent = count == 4;
        } else if (step == 'q') {
            return;
        }
    }
}
