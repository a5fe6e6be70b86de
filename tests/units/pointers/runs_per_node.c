// tine-test: fn=check cflags=-DN=1 max-objects=2 strategy=dfs max-runs=6 by-run=2 verdict=incomplete run-timeout=50ms
// tine-test: fn=check cflags=-DN=2 max-objects=3 strategy=dfs max-runs=12 by-run=4 verdict=incomplete run-timeout=50ms
// tine-test: fn=check cflags=-DN=10 max-objects=11 strategy=dfs max-runs=60 by-run=20 verdict=incomplete run-timeout=50ms
// tine-test: fn=check cflags=-DN=25 max-objects=26 strategy=dfs max-runs=150 by-run=50 verdict=incomplete run-timeout=50ms
// tine-test: fn=check cflags=-DN=50 max-objects=51 strategy=dfs max-runs=300 by-run=100 verdict=incomplete run-timeout=50ms
// Each node costs two runs: one for `next`, one for the `prev` that the check asks for (CUTE, §3.6).
struct node {
    struct node *next, *prev;
};

void reach_error(void);

static int is_list(const struct node *n) {
    int count = 0;
    for (; n && count <= N; n = n->next, count++)
        if (n->next && n->next->prev != n)
            return 0;
    return count == N;
}

void check(struct node *list) {
    if (is_list(list))
        reach_error();      //~ ERROR reach_error
}
