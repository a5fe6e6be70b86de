// tine-test: fn=f
// An intrusive list: links are set, payloads of the head are not.
#include <stddef.h>
#include <stdlib.h>

struct link {
    struct link *next, *prev;
};
struct item {
    int value;
    struct link link;
    char pad[3];
};
#define ITEM(l) ((struct item *)((char *)(l)-offsetof(struct item, link)))

static void append(struct link *head, struct link *new) {
    new->prev = head->prev;
    new->next = head;
    head->prev->next = new;
    head->prev = new;
}

int f(int k) {
    struct item head; /* only its link is used */
    head.link.next = head.link.prev = &head.link;
    for (int i = 0; i < 3; i++) {
        struct item *it = malloc(sizeof *it);
        if (!it)
            break;
        it->value = k > 50 - i;
        append(&head.link, &it->link);
    }
    int n = 0;
    for (struct link *l = head.link.next; l != &head.link;) {
        struct link *next = l->next;
        if (ITEM(l)->value)
            n++;
        free(ITEM(l));
        l = next;
    }
    return n;
}
