// tine-test: fn=name
// Functions of a header, called in conditions, as values and as arguments.
#include "inline.h"

int name(int first, int second) {
    if (!is_letter(first) && first != '_')
        return -1;
    int length = 1;
    while (length < 2 && (is_letter(second) || is_digit(second)))
        length++;
    return upper(upper(first) == 'X' || is_digit(second)) + length;
}
