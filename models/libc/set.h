/* Sets of characters as C has them: strings. */

/* One expression, so that each character looked at is one decision. The set's own end is not in it. */
static inline int is_among(char c, const char *set) {
    int found = 0;
    for (; *set; set++)
        found |= c == *set;
    return found;
}
