/* An expression, not a decision. */
int __finite(double x) { return (x > -__builtin_inf()) & (x < __builtin_inf()); }
