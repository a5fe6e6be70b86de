/* Monitors of specifications: their tables, and the hooks that report events. Part of the harness. The runtime follows
   the automata (`runtime/src/record/monitors.rs`), so these structures have the same layout there. */

#define TINE_SYMBOLIC 32 /* objects with addresses that depend on inputs, of one specification */

struct tine_place {
    const char *file, *function;
    unsigned line;
};

struct tine_property {
    const char *text, *file;
    const unsigned char *next;     /* [state][letter]; state 0 is the violation */
    const unsigned char *may_end;  /* [state] */
    const unsigned char *distance; /* [state]: events to the nearest violation */
    unsigned line;                 /* of the specification */
    unsigned number;               /* among all properties */
    unsigned char is_expected;     /* binds the caller */
    unsigned char start;           /* state before the first event */
    unsigned char unknown;         /* state if earlier events were not seen */
    unsigned char n_known;         /* states from here on are sets of states */
};

struct tine_point {
    const char *const *propositions;
    const char *const *values; /* names after 'd' (signed) or 'u' (unsigned) */
    unsigned n_values;
};

struct tine_spec {
    const char *name;
    const struct tine_property *properties;
    unsigned number, n_letters, n_properties;
    unsigned is_per_object, adopts; /* adopts: objects of the input have a history */
    unsigned *near;                 /* monitors at each distance */
    const struct tine_place *const *call, *const *left; /* call site and return of the event */
    unsigned n_symbolic;
    const void *symbolic[TINE_SYMBOLIC];
};

#define TINE_SAME (1u << 31)

/* An event at which the propositions `bits` of the point hold: `what` is (letter of the first proposition - 1) << 9,
   whether it is a return << 8, and the bits. Does nothing and returns 1 if the object has to be compared with others,
   unless TINE_SAME says that this was done. */
extern unsigned __tine_event(struct tine_spec *, const void *object, unsigned what, const struct tine_point *, unsigned long, unsigned long, unsigned long, unsigned long);
extern void __tine_end_of_run(struct tine_spec *);
extern const void *__tine_followed(struct tine_spec *, unsigned index);
extern void __tine_not_followed(void);
extern unsigned __tine_is_symbolic(const void *);
extern unsigned long __tine_plain(unsigned long);

/* 1 while a condition is evaluated: the functions that it calls have no events. */
extern unsigned __tine_is_asking;

/* The followed object that is the same as `object`. Comparisons of addresses that depend on inputs are decisions. */
static const void *tine_same(struct tine_spec *spec, const void *object) {
    for (unsigned k = 0; k < spec->n_symbolic; k++)
        if (spec->symbolic[k] == object)
            return (const void *)__tine_plain((unsigned long)spec->symbolic[k]);
    if (!__tine_is_symbolic(object))
        return object;
    if (!object)
        return object;
    const void *known;
    for (unsigned index = 0; (known = __tine_followed(spec, index)); index++) {
        unsigned k = 0;
        while (k < spec->n_symbolic && (const void *)__tine_plain((unsigned long)spec->symbolic[k]) != known)
            k++;
        if (k == spec->n_symbolic && known == object)
            return known;
    }
    if (spec->n_symbolic < TINE_SYMBOLIC)
        spec->symbolic[spec->n_symbolic++] = object;
    else
        __tine_not_followed();
    return (const void *)__tine_plain((unsigned long)object);
}

static inline __attribute__((always_inline)) void tine_event(struct tine_spec *spec, const void *object, unsigned what, const struct tine_point *point, unsigned long a, unsigned long b, unsigned long c, unsigned long d) {
    if (__tine_is_symbolic(object) || __tine_event(spec, object, what, point, a, b, c, d))
        __tine_event(spec, tine_same(spec, object), what | TINE_SAME, point, a, b, c, d);
}
