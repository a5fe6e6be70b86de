// tine-test: fn=limited verdict=bounded reason="--max-string"
// A limit is not the length of a string, which ends with a null character.
int limited(const char *text, unsigned char limit) {
    int n = 0;
    while (text[n] && n < limit) //~ REQUIRES text != NULL
        n++;
    return n;
}
