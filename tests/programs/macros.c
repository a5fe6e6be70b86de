// tine-test: fn=macros
// Conditions in macros, functions made by macros, expressions with statements.
#define BETWEEN(x, low, high) ((x) >= (low) && (x) <= (high))
#define CLAMP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x) + 1)
#define RETURN_IF(condition, value) \
    do { \
        if (condition) \
            return value; \
    } while (0)
#define FIND(name, test) static int name(int x) { for (int i = 0; i < 3; i++) if (test) return i; return -1; } \
                         static int has_##name(int x) { return name(x) >= 0 && x != 5; }
#define likely(x) __builtin_expect(!!(x), 1)

FIND(square, i * i == x)
FIND(half, i == x / 2)

int macros(int x, int y) {
    RETURN_IF(BETWEEN(x, 10, 19) || BETWEEN(y, 10, 19), 1);
    RETURN_IF(y > 100, CLAMP(x, -5, 5));
    int sum = ({
        int found = has_square(x) || has_half(y);
        found ? 3 : x;
    });
    if (likely(x > 0 && sum != 3))
        return sum;
    return likely(y) ? 4 : sum;
}
