/* Monitors of specifications: automata that follow the events of a run. Part of the harness. */

#define TINE_LIVE 256   /* objects that one specification follows at a time */
#define TINE_EVENTS 12  /* events that a report shows */
#define TINE_FAR 63     /* the largest distance (MAX_DISTANCE), also if a violation is impossible */

struct tine_property {
    const char *text;
    int is_expected;              /* binds the caller */
    unsigned char start;
    const unsigned char *next;    /* [state][letter]; state 0 is the violation */
    const unsigned char *may_end; /* [state] */
    const unsigned char *distance; /* [state]: events to the nearest violation */
    unsigned number;              /* among all properties */
};

struct tine_spec_event {
    const char *name, *file, *function;
    unsigned line;
    const void *object;
};

struct tine_instance {
    const void *object;
    unsigned char *states; /* one per property */
};

struct tine_spec {
    const char *name;
    unsigned n_letters, n_properties;
    const struct tine_property *properties;
    unsigned n_instances;
    struct tine_instance *instances;
    unsigned char *states;
    unsigned n_events;
    struct tine_spec_event events[TINE_EVENTS];
};

extern _Noreturn void __tine_beyond(void);
extern _Noreturn void __tine_reject(void);
/* Ends the run. The place is a call site, or unknown (line 0): then it is where the program is now. */
extern _Noreturn void __tine_violation(const char *message, const char *file, unsigned line, const char *function);

/* Reports that a monitor reached a state; the distance is that of the nearest violation of all. */
extern void __tine_monitored(unsigned property, unsigned state, unsigned distance);

/* Monitors at each distance. The initial values count one more object for each property: the next that is made. */
static unsigned tine_near[TINE_FAR + 1];

/* Call site of the last call to a monitored function, kept up to date by instrumented code. Line 0 is the harness. */
__attribute__((used)) const char *__tine_call_file;
__attribute__((used)) const char *__tine_call_function;
__attribute__((used)) unsigned __tine_call_line;

static char tine_message[1000];

static unsigned tine_write(unsigned at, const char *text) {
    for (; *text && at + 1 < sizeof tine_message; text++)
        tine_message[at++] = *text;
    tine_message[at] = 0;
    return at;
}

static unsigned tine_write_number(unsigned at, unsigned number) {
    char digits[12];
    unsigned n = sizeof digits - 1;
    digits[n] = 0;
    do
        digits[--n] = (char)('0' + number % 10);
    while (number /= 10);
    return tine_write(at, digits + n);
}

static const char *tine_base_name(const char *path) {
    const char *name = path;
    for (; *path; path++)
        if (*path == '/')
            name = path + 1;
    return name;
}

/* "conn_use: `(opened send* close)*` is violated by send; events: opened (x.c:4), send (x.c:9)" */
static _Noreturn void tine_violated(struct tine_spec *spec, const struct tine_property *property, const void *object, const char *by, int is_here) {
    const struct tine_spec_event *last = 0;
    unsigned at = tine_write(0, spec->name);
    at = tine_write(at, ": `");
    at = tine_write(at, property->text);
    at = tine_write(at, "` is violated by ");
    at = tine_write(at, by);
    const char *separator = "; events: ";
    unsigned shown = spec->n_events < TINE_EVENTS ? spec->n_events : TINE_EVENTS;
    if (spec->n_events > TINE_EVENTS) {
        at = tine_write(at, "; events: …");
        separator = ", ";
    }
    for (unsigned k = spec->n_events - shown; k != spec->n_events; k++) {
        const struct tine_spec_event *event = &spec->events[k % TINE_EVENTS];
        if (event->object != object)
            continue;
        last = event;
        at = tine_write(at, separator);
        at = tine_write(at, event->name);
        if (event->line) {
            at = tine_write(at, " (");
            at = tine_write(at, tine_base_name(event->file));
            at = tine_write(at, ":");
            at = tine_write_number(at, event->line);
            at = tine_write(at, ")");
        }
        separator = ", ";
    }
    if (is_here || !last)
        __tine_violation(tine_message, "", 0, "");
    __tine_violation(tine_message, last->file, last->line, last->function);
}

static unsigned tine_nearest(void) {
    unsigned distance = 0;
    while (distance < TINE_FAR && !tine_near[distance])
        distance++;
    return distance;
}

static struct tine_instance *tine_instance_of(struct tine_spec *spec, const void *object) {
    for (unsigned k = 0; k < spec->n_instances; k++)
        if (spec->instances[k].object == object)
            return &spec->instances[k];
    if (spec->n_instances == TINE_LIVE)
        return 0;
    struct tine_instance *instance = &spec->instances[spec->n_instances];
    instance->object = object;
    instance->states = spec->states + spec->n_instances++ * spec->n_properties;
    for (unsigned k = 0; k < spec->n_properties; k++) {
        instance->states[k] = spec->properties[k].start;
        tine_near[spec->properties[k].distance[instance->states[k]]]++;
    }
    return instance;
}

static void tine_event(struct tine_spec *spec, const void *object, unsigned letter, const char *name, int is_return) {
    struct tine_instance *instance = tine_instance_of(spec, object);
    if (!instance)
        __tine_beyond();
    struct tine_spec_event *event = &spec->events[spec->n_events++ % TINE_EVENTS];
    event->name = name;
    event->file = __tine_call_file;
    event->line = __tine_call_line;
    event->function = __tine_call_function;
    event->object = object;
    for (unsigned k = 0; k < spec->n_properties; k++) {
        const struct tine_property *property = &spec->properties[k];
        unsigned before = instance->states[k];
        unsigned state = instance->states[k] = property->next[before * spec->n_letters + letter];
        if (state != 0) {
            if (state != before) {
                tine_near[property->distance[before]]--;
                tine_near[property->distance[state]]++;
                __tine_monitored(property->number, state, tine_nearest());
            }
            continue;
        }
        if (property->is_expected && __tine_call_line == 0)
            __tine_reject();
        tine_violated(spec, property, object, name, is_return);
    }
}

/* End of the run: properties that still wait for an event are violated. */
static void tine_end(struct tine_spec *spec, int is_per_object) {
    if (!is_per_object)
        tine_instance_of(spec, 0);
    for (unsigned n = 0; n < spec->n_instances; n++)
        for (unsigned k = 0; k < spec->n_properties; k++)
            if (!spec->properties[k].may_end[spec->instances[n].states[k]])
                tine_violated(spec, &spec->properties[k], spec->instances[n].object, "the end of the run", 0);
}
