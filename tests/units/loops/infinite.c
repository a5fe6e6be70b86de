// tine-test: fn=infinite
/* Each loop returns to an earlier state and is reported without waiting for a time limit. */
struct node { struct node *next; int value; };

static struct node first, second, third;
static int flag = 1;
static const unsigned char ring[8] = {3, 0, 1, 5, 2, 7, 4, 6};
static const char text[] = "aaab";

static void link_all(void) {
    first.next = &second;
    second.next = &third;
    third.next = &second;
}

static void list_counted(void) {
    struct node *p = &first; unsigned n = 0;
    for (; p; p = p->next) n++; //~ ERROR endless loop
}

static void list_counted_signed(void) {
    struct node *p = &first; int counted = 0;
    for (; p; p = p->next) counted++; //~ ERROR endless loop
}

static void list_searched(void) {
    struct node *p = &first;
    while (p->value != 9) p = p->next; //~ ERROR endless loop
}

static void step_misses(void) {
    unsigned i = 0;
    while (i != 7) i = (i + 2) & 0xff; //~ ERROR endless loop
}

static void product_odd(void) {
    unsigned s = 1;
    while (s) s = s * 3 & 0xff; //~ ERROR endless loop
}

static void collatz_negative(void) {
    int k = -5;
    while (k != 1) k = k % 2 ? 3 * k + 1 : k / 2; //~ ERROR endless loop
}

static void bisection(void) {
    for (int low = 0, high = 8; low < high;) if (ring[(low + high) / 2] < 9) low = (low + high) / 2; else high--; //~ ERROR endless loop
}

static void gcd_of_zero(void) {
    for (unsigned u = 0, v = 6; u != v;) if (u > v) u -= v; else v -= u; //~ ERROR endless loop
}

static void flag_kept(void) {
    unsigned n = 0;
    while (flag) n++; //~ ERROR endless loop
}

static void ring_followed(void) {
    unsigned n = 0; unsigned i = 0;
    for (i = 0; i != 9; i = ring[i]) n++; //~ ERROR endless loop
}

static void text_restarted(void) {
    struct node *q = &second;
    for (const char *c = text; *c != 'q';) if (*c == 'b') c = text; else c++; //~ ERROR endless loop
}

static void byte_wraps(void) {
    unsigned n = 0;
    for (unsigned char c = 0; c <= 255; c++) n++; //~ ERROR endless loop
}

static void float_two_values(void) {
    double x = 0.25;
    while (x != 1) x = 1 - x; //~ ERROR endless loop
}

static void nested(void) {
    unsigned n = 0; unsigned i = 0;
    for (;;) for (i = 0; i < 3; i++) n++; //~ ERROR endless loop
}

static void two_pointers(void) {
    struct node *p = &first; struct node *q = &second; unsigned n = 0;
    for (; q; p = p->next, q = q->next->next) n += p == q; //~ ERROR endless loop
}

static void squares(void) {
    unsigned n = 0; unsigned s = 1;
    for (s = 2; s != 1; s = s * s % 7) n++; //~ ERROR endless loop
}

static void toggled(void) {
    unsigned i = 0;
    do i ^= 1; while (i < 2); //~ ERROR endless loop
}

static void counter_reset(void) {
    unsigned i = 0;
    for (;;) { if (i > 5) break; i = i == 5 ? 0 : i + 1; } //~ ERROR endless loop
}

void infinite(unsigned char which) {
    link_all();
    switch (which) {
    case 0: list_counted(); break;
    case 1: list_counted_signed(); break;
    case 2: list_searched(); break;
    case 3: step_misses(); break;
    case 4: product_odd(); break;
    case 5: collatz_negative(); break;
    case 6: bisection(); break;
    case 7: gcd_of_zero(); break;
    case 8: flag_kept(); break;
    case 9: ring_followed(); break;
    case 10: text_restarted(); break;
    case 11: byte_wraps(); break;
    case 12: float_two_values(); break;
    case 13: nested(); break;
    case 14: two_pointers(); break;
    case 15: squares(); break;
    case 16: toggled(); break;
    case 17: counter_reset(); break;
    }
}
