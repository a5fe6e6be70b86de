// Variables of other modules keep their size.
extern int other[3];
int f(int i) { return other[i]; }
