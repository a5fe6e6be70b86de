// tine-test: fn=pair
// CWE-457: a structure that is partly set is passed, returned and copied as a whole; only the use of the other part is an error.
#include <string.h>

struct both {
    char tag;
    int number;
    char text[8];
};

static struct both make(char tag, int number) {
    struct both b;
    b.tag = tag;
    if (tag == 'n')
        b.number = number;
    else
        strcpy(b.text, "text");
    return b;
}

static int use(struct both b, int check) {
    struct both copy[2];
    memcpy(&copy[1], &b, sizeof b);
    copy[0] = copy[1];
    if (check && copy[0].tag != 'n')
        return strcmp(copy[0].text, "text");
    if (copy[0].number > 3) //~ ERROR uninitialised read
        return 1;
    return 0;
}

int bad(char tag, int number) { return use(make(tag, number), 0); }
int good(char tag, int number) { return use(make(tag, number), 1); }
int pair(int faulty, char tag, int number) { return faulty ? bad(tag, number) : good(tag, number); }
