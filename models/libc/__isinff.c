/* No decision: a term says it. */
int __isinff(float x) { return (x == __builtin_inff()) - (x == -__builtin_inff()); }
