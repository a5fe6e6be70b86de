/* Parsing of formats for all functions of the `scanf` family, and storing of integers. */
#include <stddef.h>

/* `%*12hd`, without the letter. */
struct directive {
    /* True for `*`: nothing is stored. */
    int ignored;
    /* `m`: the string is allocated. */
    int allocates;
    /* 0 if none is given. */
    size_t width;
    /* 'H' for hh, 'q' for ll, 0 for none. */
    char length;
};

/* Parses the format after the percent sign; leaves `format` at the letter. */
static inline struct directive read_directive(const char **format) {
    struct directive read = {0, 0, 0, 0};
    const char *at = *format;
    read.ignored = *at == '*';
    at += read.ignored;
    for (; *at >= '0' && *at <= '9'; at++)
        read.width = read.width * 10 + (*at - '0');
    read.allocates = *at == 'm';
    at += read.allocates;
    if (*at == 'h' || *at == 'l') {
        read.length = *at++;
        if (*at == read.length) {
            read.length = read.length == 'h' ? 'H' : 'q';
            at++;
        }
    } else if (*at == 'j' || *at == 'z' || *at == 't' || *at == 'L' || *at == 'q') {
        read.length = *at++;
    }
    *format = at;
    return read;
}

/* The characters between the brackets of `%[`. */
struct set {
    const char *first, *end;
    int inverted;
};

/* Leaves `format` at the closing bracket, or at the end if there is none. */
static inline struct set read_set(const char **format) {
    const char *at = *format + 1;
    struct set set = {NULL, NULL, *at == '^'};
    at += set.inverted;
    set.first = at;
    /* A bracket at the start belongs to the set. */
    if (*at == ']')
        at++;
    while (*at && *at != ']')
        at++;
    set.end = *format = at;
    return set;
}

/* One expression, not a decision. */
static inline int is_in_set(unsigned char c, const struct set *set) {
    int found = 0;
    for (const char *at = set->first; at < set->end; at++) {
        /* A descending range is three characters. */
        if (at[0] == '-' && at > set->first && at + 1 < set->end && (unsigned char)at[-1] <= (unsigned char)at[1])
            found |= ((unsigned char)at[-1] <= c) & (c <= (unsigned char)at[1]);
        else
            found |= c == (unsigned char)*at;
    }
    return found != set->inverted;
}

/* Stores an integer with the size given by the length modifier. */
static inline void store_integer(void *to, char length, unsigned long value) {
    switch (length) {
    case 'H':
        *(unsigned char *)to = (unsigned char)value;
        break;
    case 'h':
        *(unsigned short *)to = (unsigned short)value;
        break;
    case 0:
        *(unsigned *)to = (unsigned)value;
        break;
    default:
        *(unsigned long *)to = value;
    }
}
