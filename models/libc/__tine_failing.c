/* Which call fails: an input of a few numbers.
 *
 *     chosen          the place whose call fails, in the order in which the run reaches them; 0 if none does
 *     kind, number    what it turned out to be: allocation 7, say. The run writes this down, and a replay goes by it alone.
 *
 *     frames          where it was called from
 *
 * A place is a call with those that led to it, a few deep. Only the first call from a place is offered to fail: a loop that
 * allocates a thousand objects asks one question, not a thousand.
 */
#include "failing.h"

#include <tine.h>

#include "library.h"

void *library_calloc(size_t n, size_t size) LIBRARY(calloc);

#define MAX_PLACES 4096
#define FRAMES 7

/* Number of an `InputKind` in tine's trace format, and what leaves an input zero at first whatever the seed. */
#define FAILURE 14
#define ZERO_FILL 256

struct __tine_failing __tine_failing;

/* Files come first; where no model of theirs is linked, there are none. */
#pragma weak __tine_ask
void __tine_ask(void);

/* A number for where the run is; 0 if it is not recorded. */
unsigned long __tine_place(void);
unsigned __tine_chosen(const unsigned *chosen, unsigned number, unsigned long place);
void __tine_same_place(void);
void __tine_call_failed(unsigned kind, unsigned number);

static struct {
    unsigned chosen, kind, number, frames[FRAMES];
} request;
static int asked;
static unsigned n_places;
/* Made when it is needed: a program's data is put back after each run. */
static unsigned long *places;

static void ask(void) {
    if (__tine_ask)
        __tine_ask();
    __tine_input(&request, sizeof request, "fails", FAILURE | ZERO_FILL);
    asked = 1;
}

/* True if there was no call from there before; records the call. With more places than there is room for, the others are none. */
static int is_new(unsigned long place) {
    unsigned long slot = place % MAX_PLACES;
    if (!places)
        places = library_calloc(MAX_PLACES, sizeof *places);
    for (unsigned i = 0; places && i < MAX_PLACES; i++, slot = (slot + 1) % MAX_PLACES) {
        if (places[slot] == place)
            return 0;
        if (!places[slot]) {
            places[slot] = place;
            return 1;
        }
    }
    return 0;
}

int __tine_call_fails(unsigned kind) {
    unsigned number = ++__tine_failing.calls[kind];
    unsigned long place = __tine_place();
    if (!asked)
        ask();
    if (place) {
        if (!is_new(place)) {
            __tine_same_place();
            return 0;
        }
        if (!__tine_chosen(&request.chosen, ++n_places, place))
            return 0;
        __tine_call_failed(kind, number);
    } else if (request.kind != kind || request.number != number) {
        return 0;
    }
    /* At once, so that a replay asks when the run did. */
    if (--__tine_failing.left)
        ask();
    return 1;
}
