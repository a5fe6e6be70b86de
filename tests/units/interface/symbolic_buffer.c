// tine-test: program
// Bytes become inputs in place; their neighbours stay as they were.
#include <tine.h>

struct message {
    char before;
    short fields[3];
    char after;
};

int main(void) {
    struct message m = {'a', {1, 2, 3}, 'z'};
    tine_symbolic(m.fields, sizeof m.fields, "fields");
    if (m.before != 'a' || m.after != 'z')
        return 1;                           //~ UNREACHABLE
    if (m.fields[0] == 100 && m.fields[1] == -100)      //~ COVERED
        tine_assert(m.fields[2] != 7);      //~ ERROR assertion failure
    return 0;
}
