// tine-test: fn=walks run-timeout=200ms max-objects=2 verdict=bounded strict
// Functions that a macro writes into one line: each has results of its own.
struct cell {
    int value;
    struct cell *next;
};

#define LIST(name) \
    int name##_length(struct cell *list) { int n = 0; for (; list; list = list->next) n++; return n; } \
    int name##_first(struct cell *list) { return list && list->value ? list->value : 0; }

LIST(cells) //~ ERROR endless loop in cells_length //~ COVERED cells_length //~ COVERED cells_first

int walks(struct cell *list) {
    return cells_first(list) > cells_length(list);
}
