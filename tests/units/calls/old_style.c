// tine-test: fn=old_style cflags="-Wno-deprecated-non-prototype" paths=2
// A definition in the style of K&R: arguments are promoted on the way.
#include <tine.h>

static int old(c, f)
    char c;
    float f;
{
    return (c == 'q') & (f == 2.5f);
}

int old_style(char c, float f) {
    tine_assert(!old(c, f));                //~ ERROR assertion failure
    return 0;
}
