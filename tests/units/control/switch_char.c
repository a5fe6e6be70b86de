// tine-test: fn=switch_char paths=5
// On a plain char, with an escape and a negative value.
int switch_char(char c) {
    switch (c) {                //~ COVERED
    case 'a':
        return 1;
    case '\n':
        return 2;
    case '\0':
        return 3;
    case (char)0x80:
        return c < 0 ? 4 : -1;
    default:
        return 0;
    }
}
