/* Environment variables, and long jumps: each side has its own list. */
#include "compare.h"

#include <setjmp.h>

extern char **environ;

char *model_getenv(const char *), *model_secure_getenv(const char *);
int model_setenv(const char *, const char *, int), model_unsetenv(const char *), model_putenv(char *), model_clearenv(void);
void model_longjmp(jmp_buf, int), model__longjmp(jmp_buf, int), model_siglongjmp(sigjmp_buf, int);
char *secure_getenv(const char *);

/* The list of a side. */
static char **lists[2];
static char at_start[4][8];

static void start(void) {
    static char *first[2][5];
    unsigned n = below(4);
    for (unsigned i = 0; i < n; i++) {
        any_text(at_start[i], 1, "AB");
        strcat(at_start[i], "=");
        any_text(at_start[i] + strlen(at_start[i]), 2, "x=");
        first[0][i] = first[1][i] = at_start[i];
    }
    first[0][n] = first[1][n] = NULL;
    lists[0] = first[0], lists[1] = first[1];
}

/* The effect of a call on a list, as text in the compared memory. */
#define ON(side, to, call)                                                                                             \
    ({                                                                                                                 \
        char **kept = environ;                                                                                         \
        environ = lists[side];                                                                                         \
        long value = (long)(call);                                                                                     \
        to[0] = 0;                                                                                                     \
        for (char **at = environ; at && *at; at++)                                                                     \
            strcat(strcat(to, *at), "|");                                                                              \
        environ = kept;                                                                                                \
        value;                                                                                                         \
    })
#define SET start(), any_text(s, 2, "AB="), any_text(t, 2, "y="), flag = (int)below(2)
#define BOTH(name, a, b) COMPARE(name, SET, ON(0, ours, a), ON(1, theirs, b))

static int jumped(void jump(jmp_buf, int), int value) {
    jmp_buf place;
    int came = setjmp(place);
    if (!came)
        jump(place, value);
    return came;
}

void compare_environment(void) {
    static char s[8], t[8];
    int flag;
    BOTH(getenv, model_getenv(s), getenv(s));
    BOTH(secure_getenv, model_secure_getenv(s), secure_getenv(s));
    BOTH(setenv, model_setenv(s, t, flag), setenv(s, t, flag));
    BOTH(unsetenv, model_unsetenv(s), unsetenv(s));
    BOTH(putenv, model_putenv(s), putenv(s));
    BOTH(clearenv, model_clearenv(), clearenv());
    COMPARE(longjmp, flag = (int)below(200) - 100, jumped(model_longjmp, flag), jumped(longjmp, flag));
    COMPARE(_longjmp, flag = (int)below(200) - 100, jumped(model__longjmp, flag), jumped(_longjmp, flag));
    COMPARE(siglongjmp, flag = (int)below(200) - 100, jumped(model_siglongjmp, flag), jumped(siglongjmp, flag));
}
