// tine-test: fn=level_of verdict=bounded reason=--any-enum
// A parameter of an enumeration without 0 is never 0.
enum level { LOW = 1, HIGH = 2 };
int level_of(enum level l) {
    if (l == LOW)
        return 1;
    return 10 / (l == HIGH);
}
