// tine-test: program
// A lock whose combination is checked digit by digit, and a state that only the right order reaches.
#include <tine.h>

int main(void) {
    static const unsigned char secret[4] = {0x13, 0xe0, 0x77, 0x02};
    unsigned char entered[4];
    int right = 0;
    tine_symbolic(entered, 4, "entered");
    for (int i = 0; i < 4; i++) {
        unsigned char turned = (unsigned char)(entered[i] * 3 + i);
        if (turned != secret[i])            //~ COVERED
            break;
        right++;
    }
    tine_assert(right != 4);                //~ ERROR assertion failure
    return 0;
}
