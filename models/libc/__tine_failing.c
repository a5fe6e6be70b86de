/* The failing call: an input that consists of a few numbers.
 *
 *     chosen          the place whose call fails, in the order in which the run reaches them; 0 if none does
 *     kind, number    the call, such as allocation 7. The run writes them, and a replay uses only them.
 *
 *     frames          the return addresses of the call
 *
 * A place is a call with its innermost callers. Only the first call from a place can fail: a loop that allocates a
 * thousand objects adds one decision, not a thousand.
 */
#include "failing.h"

#include <tine.h>

#include "library.h"

void *library_calloc(size_t n, size_t size) LIBRARY(calloc);

#define MAX_PLACES 4096
#define FRAMES 7

/* Number of an `InputKind` in tine's trace format, and the flag for an input that is zero at first for any seed. */
#define FAILURE 14
#define ZERO_FILL 256

struct __tine_failing __tine_failing;

/* Files come first. If none of their models is linked, there are no files. */
#pragma weak __tine_ask
void __tine_ask(void);

/* A number for the current place of the run; 0 if the run is not recorded. */
unsigned long __tine_place(void);
unsigned __tine_chosen(const unsigned *chosen, unsigned number, unsigned long place);
void __tine_same_place(void);
void __tine_call_failed(unsigned kind, unsigned number);

static struct {
    unsigned chosen, kind, number, frames[FRAMES];
} request;
static int asked;
static unsigned n_places;
/* Allocated when needed, because a program's data is restored after each run. */
static unsigned long *places;

static void ask(void) {
    if (__tine_ask)
        __tine_ask();
    __tine_input(&request, sizeof request, "fails", FAILURE | ZERO_FILL);
    asked = 1;
}

/* True for the first call from a place; records the place. When the table is full, further places are ignored. */
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
    /* Immediately, so that a replay makes the request at the same moment as the run. */
    if (--__tine_failing.left)
        ask();
    return 1;
}
