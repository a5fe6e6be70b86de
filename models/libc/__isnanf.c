int __isnanf(float x) { return x != x; }
