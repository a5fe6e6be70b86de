// An iterator that is used after the container changed.
//@ spec iterators {
//@   begin  := call begin
//@   change := return insert if result == 0
//@   erase  := return erase if result == 0
//@   step   := call advance
//@   ensures historically (step -> (!change && !erase) since begin)
//@ }
static int items[16], count, position;

void begin(void) {
    position = 0;
}

int insert(int x) {
    if (count == 8)
        return -1;
    items[count++] = x;
    return 0;
}

int erase(void) {
    if (!count)
        return -1;
    count--;
    return 0;
}

int advance(void) {
    return position < count ? items[position++] : -1;
}

void editor(const unsigned char steps[20]) {
    int is_valid = 0;
    for (int i = 0; i < 20; i++) {
        switch (steps[i]) {
        case 'b':
            begin();
            is_valid = count > 0;
            break;
        case 'i':
            if (insert(i) == 0)
                is_valid = 0;
            break;
        case 'e':
            if (erase() == 0 && count != 3)
                is_valid = 0;
            break;
        case 'n':
            if (is_valid)
                advance();
            break;
        case 'x':
            return;
        default:
            if (steps[i] > 200)
                is_valid = 0;
        }
    }
}
