// tine-test: fn=fill verdict=bounded reason="--max-elements" unnoticed
// tine-test: fn=fill_well verdict=bounded reason="--max-elements"
// `buf_len` is the length of `buf`: there is no room for a null character after that many characters.
void fill(char *buf, unsigned long buf_len, char with) {
    unsigned long i = 0;
    while (i < buf_len)
        buf[i++] = with;
    buf[i] = 0; //~ ERROR array index out of bounds //~ REQUIRES buf != NULL
}

void fill_well(char *buf, unsigned long buf_len, char with) {
    if (buf_len == 0)
        return;
    unsigned long i = 0;
    while (i < buf_len - 1)
        buf[i++] = with;
    buf[i] = 0; //~ REQUIRES buf != NULL
}
