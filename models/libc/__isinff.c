/* An expression, not a decision. */
int __isinff(float x) { return (x == __builtin_inff()) - (x == -__builtin_inff()); }
