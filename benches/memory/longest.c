/* How long a list gets: every node is one more path. */
struct node {
    struct node *next;
};

int longest(const struct node *list) {
    int n = 0;
    for (; list; list = list->next)
        n++;
    return n;
}
