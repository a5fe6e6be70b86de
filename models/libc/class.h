/* Classes of characters in the C locale, as expressions without decisions. */

#define IN(c, first, last) ((unsigned)(c) - (first) <= (unsigned)((last) - (first)))
#define IS_UPPER(c) IN(c, 'A', 'Z')
#define IS_LOWER(c) IN(c, 'a', 'z')
#define IS_ALPHA(c) IN((c) | 32, 'a', 'z')
#define IS_DIGIT(c) IN(c, '0', '9')
#define IS_SPACE(c) ((c) == ' ' | IN(c, '\t', '\r'))
#define IS_GRAPH(c) IN(c, '!', '~')
#define LOWER(c) ((c) + (IS_UPPER(c) << 5))
#define UPPER(c) ((c) - (IS_LOWER(c) << 5))

/* Beyond ASCII, in UTF-8: spaces at which a line may be broken. */
#define IS_WIDE_BLANK(c) ((c) == 0x1680 | IN(c, 0x2000, 0x200a) & (c) != 0x2007 | (c) == 0x205f | (c) == 0x3000)
