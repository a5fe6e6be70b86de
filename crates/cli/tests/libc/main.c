#include "compare.h"

/* A call takes less than a microsecond. */
#define ROUNDS_OF_A_CHECK 200
int rounds = 100 * ROUNDS_OF_A_CHECK;
char ours[4 * SIZE], theirs[4 * SIZE];

static uint64_t seed = 88172645463325252u, state;

/* Results of `below` in this round, also used to repeat a round. */
#define MOST_DRAWN 512
struct draws {
    unsigned n, values[MOST_DRAWN];
};
static struct draws drawn, planned, best;
static int repeats;

unsigned below(unsigned n) {
    unsigned value = 0;
    if (!repeats) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        value = (unsigned)((state >> 11) % n);
    } else if (drawn.n < planned.n) {
        value = planned.values[drawn.n] % n;
    }
    if (drawn.n < MOST_DRAWN)
        drawn.values[drawn.n++] = value;
    return value;
}

/* Shrinking: leaves out numbers, or makes them smaller, as long as both sides still differ. */
static unsigned shrink_at, shrink_by;
static int is_last, failures;
static const unsigned lengths[] = {16, 8, 4, 2, 1};
#define LENGTHS (sizeof lengths / sizeof *lengths)

/* Plans the next attempt; 0 if there are no more. */
static int plan_smaller(void) {
    for (; shrink_by < LENGTHS + 2; shrink_by++, shrink_at = 0) {
        for (; shrink_at < best.n; shrink_at++) {
            unsigned *value = &planned.values[shrink_at];
            planned = best;
            if (shrink_by < LENGTHS) {
                unsigned length = lengths[shrink_by];
                if (shrink_at + length > best.n)
                    break;
                memmove(value, value + length, (best.n - shrink_at - length) * sizeof *value);
                planned.n -= length;
                return 1;
            }
            if (*value) {
                *value = shrink_by == LENGTHS ? 0 : *value - 1;
                return 1;
            }
        }
    }
    return 0;
}

int next_round(const char *function) {
    static const char *current;
    static int round;
    if (current != function) {
        current = function, round = 0;
        state = seed;
        for (const char *at = function; *at; at++)
            state = (state ^ (unsigned char)*at) * 1099511628211u;
        state |= 1;
    }
    drawn.n = 0;
    if (repeats) {
        if (is_last) {
            current = NULL, repeats = is_last = 0;
            return 0;
        }
        if (!plan_smaller())
            planned = best, is_last = 1;
        return 1;
    }
    if (round++ < rounds)
        return 1;
    current = NULL;
    return 0;
}

/* True if `a` has fewer numbers than `b`, or smaller ones. */
static int is_smaller(const struct draws *a, const struct draws *b) {
    unsigned i = 0;
    while (i < a->n && i < b->n && a->values[i] == b->values[i])
        i++;
    return a->n < b->n || a->n == b->n && i < a->n && a->values[i] < b->values[i];
}

int end_round(int differs) {
    if (!repeats) {
        if (!differs)
            return 0;
        best = drawn, repeats = 1, shrink_at = shrink_by = 0, failures++;
        return 0;
    }
    if (is_last)
        return 1;
    if (differs && is_smaller(&drawn, &best)) {
        int is_shorter = drawn.n < best.n;
        best = drawn;
        if (is_shorter && shrink_by >= LENGTHS)
            shrink_by = shrink_at = 0;
    } else {
        shrink_at++;
    }
    return 0;
}

void any_text(char *to, unsigned most, const char *alphabet) {
    unsigned n = below(most + 1), letters = (unsigned)strlen(alphabet);
    for (unsigned i = 0; i < n; i++)
        to[i] = alphabet[below(letters)];
    to[n] = 0;
}

void same_memory(void) {
    for (unsigned i = 0; i < sizeof ours; i++)
        ours[i] = theirs[i] = "ab\0c"[below(4)];
    ours[SIZE] = theirs[SIZE] = 0;
}

static void put(const char *text) {
    for (; *text; text++)
        if (*text >= ' ' && *text <= '~' && *text != '"' && *text != '\\')
            putchar(*text);
        else
            printf("\\%03o", (unsigned char)*text);
}

void different(const char *function, const char *what, const char *a, const char *b) {
    printf("%s(\"", function);
    put(a);
    printf("\", \"");
    put(b);
    printf("\"): %s (TINE_CHECKS_SEED=%llu)\n", what, (unsigned long long)seed);
}

void compare_strings(void), compare_characters(void), compare_numbers(void), compare_sorting(void), compare_formats(void), compare_fortified(void),
    compare_options(void), compare_floats(void), compare_mathematics(void), compare_wide(void), compare_allocation(void), compare_environment(void), compare_times(void), compare_paths(void), compare_generated(void);

int main(void) {
    const char *checks = getenv("TINE_CHECKS"), *asked = getenv("TINE_CHECKS_SEED");
    if (checks)
        rounds = ROUNDS_OF_A_CHECK * (int)strtol(checks, NULL, 10);
    if (asked)
        seed = strtoull(asked, NULL, 10);
    compare_strings();
    compare_characters();
    compare_numbers();
    compare_sorting();
    compare_formats();
    compare_fortified();
    compare_options();
    compare_floats();
    compare_mathematics();
    compare_wide();
    compare_allocation();
    compare_environment();
    compare_times();
    compare_paths();
    compare_generated();
    return failures != 0;
}
