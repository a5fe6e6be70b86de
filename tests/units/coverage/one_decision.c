// tine-test: fn=one_decision branches=10 paths=4
// A value of && that is used as a condition later is one decision with its operand.
static int is_digit(int c) {
    return c >= '0' && c <= '9';                //~ COVERED
}

int one_decision(int c) {
    int known = is_digit(c) || c == '_';        //~ COVERED
    if (known)                                  //~ COVERED
        return 1;
    return 0;
}
