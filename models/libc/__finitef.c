/* No decision: a term says it. */
int __finitef(float x) { return (x > -__builtin_inff()) & (x < __builtin_inff()); }
