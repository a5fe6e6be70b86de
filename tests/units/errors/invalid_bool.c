// tine-test: fn=invalid_bool exit=1
// A bool that holds neither 0 nor 1.
int invalid_bool(unsigned char x) {
    union {
        unsigned char byte;
        _Bool flag;
    } u;
    u.byte = x;
    return u.flag ? 1 : 0;                  //~ ERROR invalid bool or enum value
}
