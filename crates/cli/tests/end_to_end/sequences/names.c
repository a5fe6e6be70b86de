// Names as keys: inputs are strings that pointers point to.
#include <assert.h>
#include <string.h>

struct user {
    char name[3];
    int logged_in;
};

void init(struct user *u) { memset(u, 0, sizeof *u); }

void login(struct user *u, const char *name) {
    int i = 0;
    while (i < 2 && name && name[i]) {
        u->name[i] = name[i];
        i++;
    }
    u->name[i] = 0;
    u->logged_in = 1;
}

void logout(struct user *u) { u->logged_in = 0; }

void work(struct user *u) { assert(u->logged_in || u->name[0] != 'x'); }
