/* No decision: a term says it. */
int __finite(double x) { return (x > -__builtin_inf()) & (x < __builtin_inf()); }
