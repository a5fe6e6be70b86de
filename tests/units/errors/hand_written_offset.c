// tine-test: program
// An offset that is computed by hand reads nothing.
#include <stddef.h>
struct head {
    struct head *next, *prev;
};
struct element {
    void *e;
    struct head list;
};
struct head h = {&h, &h};
#define OFFSET(type, member) ((unsigned long)&((type *)0)->member)
int main(void) {
    struct element *m = (struct element *)((char *)h.next - OFFSET(struct element, list));
    if (&m->list != &h || OFFSET(struct element, list.prev) != offsetof(struct element, list.prev))
        return 1;
    return 0;
}
