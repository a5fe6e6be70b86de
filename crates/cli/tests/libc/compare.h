/* Common parts of all comparisons: random inputs, and reports of differences. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 24

/* Rounds for each function. */
extern int rounds;

/* Starts the next round of a function, with new numbers, or after a difference with fewer, smaller ones. 0 at the end. */
int next_round(const char *function);
/* Ends a round; `differs` tells if both sides differ. Only the shortest call with a difference is reported. */
int end_round(int differs);

/* Random number below `n`, determined by a seed and the function's name. */
unsigned below(unsigned n);
/* Fills a string with up to `most` characters of `alphabet`. */
void any_text(char *to, unsigned most, const char *alphabet);
/* Memory of both sides, equal before each call. */
extern char ours[4 * SIZE], theirs[4 * SIZE];
void same_memory(void);
void different(const char *function, const char *what, const char *a, const char *b);

static inline int sign(int n) { return (n > 0) - (n < 0); }

/* Compares results, memory and errno of both sides; `set` runs before each round. */
#define COMPARE(name, set, a, b)                                                                                       \
    do {                                                                                                               \
        while (next_round(#name)) {                                                                                    \
            set;                                                                                                       \
            same_memory();                                                                                             \
            errno = 0;                                                                                                 \
            long long x = (long long)(b);                                                                              \
            int errno_x = errno;                                                                                       \
            errno = 0;                                                                                                 \
            long long y = (long long)(a);                                                                              \
            int errno_y = errno;                                                                                       \
            char text[200];                                                                                            \
            snprintf(text, sizeof text, "%lld, errno %d, model %lld, errno %d", x, errno_x, y, errno_y);              \
            if (end_round(x != y || errno_x != errno_y || memcmp(ours, theirs, sizeof ours)))                          \
                different(#name, text, s, t);                                                                          \
        }                                                                                                              \
        printf("compared %s\n", #name);                                                                                \
    } while (0)
