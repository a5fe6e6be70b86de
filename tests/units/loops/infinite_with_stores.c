// tine-test: fn=infinite
/* Loops that write memory or call functions. Each returns to an earlier state and is reported without waiting for a time limit. */
struct node { struct node *next; int value; int seen; };
struct machine { int state, input, ticks; };

static struct node first, second, third;
static struct machine machine = {1, 2, 0};
static unsigned total, table[16], histogram[4];
static int buffer[4];
static int done;

static void link_all(void) {
    first.next = &second;
    second.next = &third;
    third.next = &second;
    second.value = 2;
    third.value = 3;
}

static void count(const struct node *l) { total += (unsigned)l->value; }

static void called(void) {
    struct node *l = &first;
    while (l) { count(l); l = l->next; } //~ ERROR endless loop
}

static void member_written(void) {
    for (struct node *l = &first; l; l = l->next) l->seen++; //~ ERROR endless loop
}

static void beside(void) {
    for (struct node *l = &first; l; l = l->next) buffer[l->value & 3] = (int)total++; //~ ERROR endless loop
}

static void step(struct machine *m) {
    switch (m->state) {
    case 1: m->state = 2; break;
    case 2: m->state = m->input == 7 ? 3 : 1; break;
    case 3: m->state = 0; break;
    }
    m->ticks = (int)((unsigned)m->ticks + 1u);
}

static void states(void) {
    while (machine.state) step(&machine); //~ ERROR endless loop
}

static const struct node *after(const struct node *l) { return l ? l->next : &first; }

static void result(void) {
    const struct node *l = &first;
    while (l) { l = after(l); table[0]++; } //~ ERROR endless loop
}

static void next_of(struct node *l, struct node **to) { *to = l->next; }

static void out_parameter(void) {
    struct node *l = &first;
    while (l) { next_of(l, &l); total++; } //~ ERROR endless loop
}

static void flag_stays(void) {
    while (!done) { total++; if (first.value) done = 1; } //~ ERROR endless loop
}

static void swapped(void) {
    struct node *a = &first, *b = &second;
    struct node *both[2] = {a, b};
    while (both[0] != both[1]) { //~ ERROR endless loop
        struct node *t = both[0];
        both[0] = both[1];
        both[1] = t;
        histogram[1]++;
    }
}

static void fails_rarely(void) {
    for (struct node *l = &first; l; l = l->next) { //~ ERROR endless loop
        if (l->value == 9) __builtin_trap();
        histogram[l->value & 3]++;
    }
}

static int found(const struct node *l, int value) {
    for (int k = 0; l && k < 3; k++, l = l->next)
        if (l->value == value)
            return 1;
    return 0;
}

static void inner_loop(void) {
    for (struct node *l = &first; !found(l, 9); l = l->next) total += 2; //~ ERROR endless loop
}

static int depth_of(const struct node *l, int depth) { return depth == 0 ? l->value : depth_of(l->next, depth - 1); }

static void recursive_call(void) {
    struct node *l = &first;
    while (depth_of(l, 3) != 9) { l = l->next; table[1]++; } //~ ERROR endless loop
}

static void filled(void) {
    struct node *l = &first;
    while (l) { __builtin_memset(table, l->value, sizeof table); l = l->next; } //~ ERROR endless loop
}

void infinite(unsigned char which) {
    link_all();
    switch (which) {
    case 0: called(); break;
    case 1: member_written(); break;
    case 2: beside(); break;
    case 3: states(); break;
    case 4: result(); break;
    case 5: out_parameter(); break;
    case 6: flag_stays(); break;
    case 7: swapped(); break;
    case 8: fails_rarely(); break;
    case 9: inner_loop(); break;
    case 10: recursive_call(); break;
    case 11: filled(); break;
    }
}
