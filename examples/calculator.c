// tine-test: program depth=12 verdict=bounded reason="depth"
// A calculator over eight bytes of input: sums of products of digits and parentheses, by recursive descent.
//
//     sum     = product { ("+" | "-") product }
//     product = factor { ("*" | "/") factor }
//     factor  = digit | "(" sum ")"
//
// tine makes its own input strings, such as "0/0", and finds the division by zero. Eight bytes allow some 8000 paths;
// the bound on decisions keeps to the first few hundred.
#include <tine.h>

static char text[9];
static int at;
static int wrong;

static unsigned sum(void);

static unsigned factor(void) {
    char c = text[at];
    if (c == '(') {                         //~ COVERED
        at++;
        unsigned value = sum();
        if (text[at] != ')')                //~ COVERED
            wrong = 1;
        else
            at++;
        return value;
    }
    if (c < '0' || c > '9') {               //~ COVERED
        wrong = 1;
        return 0;
    }
    at++;
    return (unsigned)(c - '0');
}

static unsigned product(void) {
    unsigned value = factor();
    while (!wrong) {
        char op = text[at];
        if (op != '*' && op != '/')         //~ COVERED
            break;
        at++;
        unsigned right = factor();
        if (wrong)                          //~ COVERED
            break;
        if (op == '*')                      //~ COVERED
            value *= right;
        else
            value /= right;                 //~ ERROR division by zero
    }
    return value;
}

static unsigned sum(void) {
    unsigned value = product();
    while (!wrong) {
        char op = text[at];
        if (op != '+' && op != '-')         //~ COVERED
            break;
        at++;
        unsigned right = product();
        value = op == '+' ? value + right : value - right;
    }
    return value;
}

int main(void) {
    tine_symbolic(text, 8, "text");
    unsigned value = sum();
    if (wrong || text[at] != '\0')          //~ COVERED
        return 1;
    return value == 42 ? 0 : 2;   //~ GCOV choice
}
