// tine-test: fn=container_of
// From a member back to the structure around it.
#include <stddef.h>
#include <tine.h>

struct link {
    struct link *next;
};
struct task {
    int id;
    struct link link;
    int priority;
};
#define OWNER(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

int container_of(unsigned i, int x) {
    static struct task t[3] = {{.id = 10}, {.id = 20}, {.id = 30}};
    struct link *l = &t[i % 3].link;
    struct task *owner = OWNER(l, struct task, link);
    owner->priority = x;
    if (owner->id == 20 && t[1].priority == 4711)               //~ COVERED
        tine_assert(x != 4711);                                 //~ ERROR assertion failure
    if (owner->id == 30 && t[2].priority != x)
        return -1;                                              //~ UNREACHABLE
    tine_assert(owner == &t[i % 3]);
    return 0;
}
