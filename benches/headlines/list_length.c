/* The length of a singly linked list, in the style of GLib's. A list that comes round has none. */
struct list {
    void *data;
    struct list *next;
};

unsigned length(struct list *list) {
    unsigned n = 0;
    while (list) {
        n++;
        list = list->next;
    }
    return n;
}
