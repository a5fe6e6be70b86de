/* Members of a structure are kept apart; those of inputs, too. */
struct s { int x, y; struct s *next; };
static struct s global;
int f(struct s *p, int a) {
    p->x = a * 2;           //~ TARGET
    global.y = p->x;
    if (p->y > 5)           //~ UNRELATED
        a++;
    if (p->x > 5)           //~ INFLUENCED
        return 1;
    if (global.x)           //~ INFLUENCED
        return 2;
    return 0;
}
int g(struct s *p, int a) { return f(p, a); }
