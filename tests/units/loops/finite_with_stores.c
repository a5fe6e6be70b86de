// tine-test: fn=ends
/* Long loops that end because of what they write, although their registers return to earlier states. */
#include <stdlib.h>
#include <string.h>

struct node { struct node *next; int value; int left; };
struct machine { int state; unsigned ticks; };

static struct node first, second;
static struct machine machine;
static int done, calls, level;
static unsigned total, limit = 3000;
static unsigned char bytes[4096];
static int (*chosen)(void);

static void count(struct node *l) { if (++total == 3000) l->next = 0; }
static void step(struct machine *m) { m->state ^= 1; if (++m->ticks == 3000) m->state = 7; }
static int more(void) { return ++calls < 3000; }
static void tell(int *to) { *to = total > 3000; }
static int deep(int n) { return n ? deep(n - 1) : --level > 0; }
static int by_library(const void *a, const void *b) { (void)a; (void)b; total++; return 0; }

static int again(int n) {
    /* The same loop, active twice. */
    int turns = 0;
    for (struct node *l = &first; l; l = l->next) {
        if (++turns > 200) return turns;
        if (n > 0 && turns == 100) total += (unsigned)again(n - 1);
    }
    return 0;
}

int ends(unsigned char which) {
    first.next = &second;
    second.next = &first;
    struct node *l = &first;
    int stop = 0;
    unsigned i = 0;
    switch (which) {
    case 0: while (l) { count(l); l = l->next; } break;
    case 1: while (machine.state != 7) step(&machine); break;
    case 2: while (more()) i ^= 1; break;
    case 3: while (!stop) { total++; tell(&stop); } break;
    case 4: level = 3000; while (deep(3)) i ^= 1; break;
    case 5: chosen = more; while (chosen()) i ^= 1; break;
    case 6: again(3); break;
    case 7: first.left = 3000; for (; l->left >= 0; l = l->next) if (l == &first && l->left-- == 0) break; break;
    case 8: { int pair[2] = {1, 2}; while (pair[0] != 3000) { int t = pair[0]; pair[0] = pair[1]; pair[1] = t + 2; } break; }
    case 9: { unsigned char *p = bytes; *p = 1; while (bytes[4095] == 0) { *p = 1; if (p < bytes + 4095 && p[1] == 0) p++; } break; }
    case 10: while (!done) { char copy[sizeof total]; memcpy(copy, &total, sizeof copy); total++; unsigned k; memcpy(&k, copy, sizeof k); done = k == 3000; } break;
    case 11: while (total < 3000) { int pair[2] = {2, 1}; qsort(pair, 2, sizeof *pair, by_library); } break;
    case 12: while (l) { struct node **to = &l->next; if (++i == 3000) *to = 0; l = *to; } break;
    case 13: { double x = 0, *p = &x; while (*p < 3000) *p += 1; break; }
    case 14: { unsigned *p = &total; while (limit) { *p ^= 1; if (++i % 1000 == 0) limit -= 1000; } break; }
    case 15: { union { unsigned n; unsigned char b[4]; } u = {0}; while (u.b[1] != 11) u.n++; break; }
    case 16: for (i = 0; i < 5000; i++) { if (i == 4999) first.next = 0; bytes[i & 7]++; } break;
    case 17: { static unsigned k; do { bytes[k & 7] = (unsigned char)k; k++; } while (k < 3000); break; }
    }
    return (int)(total + i);
}
