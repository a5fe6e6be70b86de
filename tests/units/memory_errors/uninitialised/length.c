// tine-test: fn=pair
// A length that was not set decides how much is copied.
#include <string.h>

struct message {
    unsigned length;
    char text[8];
};

static void fill(struct message *m, int complete) {
    memset(m->text, 'a', sizeof m->text);
    if (complete)
        m->length = 3;
}

static int both(int faulty, int k) {
    struct message m;
    char to[8] = "";
    fill(&m, !faulty || k != 19);
    memcpy(to, m.text, m.length); //~ ERROR uninitialised read
    return to[0];
}

int pair(int faulty, int k) { return both(faulty, k); }
