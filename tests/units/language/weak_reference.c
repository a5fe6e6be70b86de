// tine-test: fn=weak_reference
// A weak function that is undefined is not a function, and the bounds of a section are not undefined variables.
#include <tine.h>

extern int hook(int) __attribute__((weak));
extern int level __attribute__((weak));

struct entry {
    int key, value;
};
static const struct entry first __attribute__((used, section("entries"))) = {3, 30};
static const struct entry second __attribute__((used, section("entries"))) = {4, 41};
extern const struct entry __start_entries[], __stop_entries[];

int weak_reference(int key) {
    if (hook)
        return hook(key);                                       //~ UNREACHABLE
    if (&level)
        return level;                                           //~ UNREACHABLE
    int sum = 0;
    for (const struct entry *e = __start_entries; e < __stop_entries; e++)
        if (e->key == key)                                      //~ COVERED
            sum += e->value;
    tine_assert(sum != 41);                                     //~ ERROR assertion failure
    return sum;
}
