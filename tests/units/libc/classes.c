// tine-test: fn=classes
// Character classes are expressions: no decisions but the caller's.
#include <ctype.h>
#include <tine.h>

int classes(unsigned char c) {
    if (isdigit(c) && !isxdigit(c))
        return 1;                                               //~ UNREACHABLE
    if (isalpha(c) && isupper(c))
        tine_assert(tolower(c) != 'q');                         //~ ERROR assertion failure
    if (isspace(c) && !isblank(c))
        tine_assert(c != '\v');                                 //~ ERROR assertion failure
    if (ispunct(c) && toupper(c) == c && !isprint(c))
        return 2;
    return isalnum(c) || iscntrl(c) || isgraph(c) || islower(c);
}
