// tine-test: fn=input_string verdict=bounded
// A place in a string, chosen by the string itself.
#include <tine.h>

int input_string(const char *s) {
    tine_assume(s != 0 && s[0] >= '1' && s[0] <= '3');
    int n = s[0] - '0';
    for (int k = 1; k <= 3; k++)
        tine_assume(s[k] != 0);
    if (s[n] == 'x' && s[0] == '3')                 //~ COVERED
        tine_assert(s[3] != 'x');                   //~ ERROR assertion failure
    if (s[n] == 0)
        return -1;                                  //~ UNREACHABLE
    return 0;
}
