// `!p` is the condition that people read: its sides are those of the source.
int f(int *p) {
    if (!p)
        return 1;
    return *p;
}
