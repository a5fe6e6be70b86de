#include "compare.h"

int rounds = 20000;
char ours[4 * SIZE], theirs[4 * SIZE];

static uint64_t state = 88172645463325252u;

unsigned below(unsigned n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)((state >> 11) % n);
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

void different(const char *function, const char *what, const char *a, const char *b) {
    printf("%s(\"%s\", \"%s\"): %s\n", function, a, b, what);
    exit(1);
}

void compare_strings(void), compare_characters(void), compare_numbers(void), compare_sorting(void), compare_formats(void), compare_fortified(void),
    compare_options(void), compare_floats(void), compare_wide(void), compare_allocation(void), compare_environment(void), compare_times(void), compare_paths(void);

int main(void) {
    const char *asked = getenv("TINE_LIBC_ROUNDS");
    if (asked)
        rounds = (int)strtol(asked, NULL, 10);
    compare_strings();
    compare_characters();
    compare_numbers();
    compare_sorting();
    compare_formats();
    compare_fortified();
    compare_options();
    compare_floats();
    compare_wide();
    compare_allocation();
    compare_environment();
    compare_times();
    compare_paths();
    return 0;
}
