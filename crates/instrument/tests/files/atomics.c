int f(int *p, int x) { return __atomic_fetch_add(p, x, __ATOMIC_SEQ_CST) == 3; }
