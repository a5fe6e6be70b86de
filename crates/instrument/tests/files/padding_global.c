// Globals have padding after them, the user's and static ones.
static int inner[3];
int outer;
int f(int i) { return inner[i] + outer; }
