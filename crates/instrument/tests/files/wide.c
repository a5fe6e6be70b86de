// Integers of 128 bits.
int f(__int128 x) { return x * x > 7; }
