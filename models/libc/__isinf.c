/* An expression, not a decision. */
int __isinf(double x) { return (x == __builtin_inf()) - (x == -__builtin_inf()); }
