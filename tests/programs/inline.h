/* Functions of a header, in the style of <ctype.h>. */
static inline int is_digit(int c) {
    return c >= '0' && c <= '9';
}

static inline int is_letter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline int upper(int c) {
    return c >= 'a' && c <= 'z' ? c - 32 : c;
}
