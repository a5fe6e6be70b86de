// tine-test: fn=f
// Floating-point and complex members.
#include <complex.h>

struct point {
    float x;
    double y;
    float complex z;
};

static struct point at(float x) {
    struct point p;
    p.x = x;
    p.y = x;
    p.z = 1.0f;
    return p;
}

int f(int k) {
    struct point p = at(k > 3 ? 2.0f : 1.0f), q;
    q = p;
    if (q.x > 1.5f && q.y < 3.0 && crealf(q.z) == 1.0f)
        return 1;
    return 0;
}
