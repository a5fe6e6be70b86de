int __isnan(double x) { return x != x; }
