// tine-test: fn=pair
// CWE-191: a balance below the smallest number.
#include <limits.h>

int bad(int balance, int price) {
    if (price < 0)
        return 0;
    return balance - price > 0; //~ ERROR signed integer overflow
}

int good(int balance, int price) {
    if (price < 0)
        return 0;
    return balance > price;
}

int pair(int faulty, int balance, int price) { return faulty ? bad(balance, price) : good(balance, price); }
