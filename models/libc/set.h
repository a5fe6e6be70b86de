/* Sets of characters, represented as C strings. */

/* One expression, so that each examined character is one decision. The terminator does not belong to the set. */
static inline int is_among(char c, const char *set) {
    int found = 0;
    for (; *set; set++)
        found |= c == *set;
    return found;
}
