// tine-test: fn=constants branches=6
// What the compiler knows has no sides.
int constants(int a) {
    int value = a == 1 && sizeof(int) == 4;     //~ COVERED
    value += 0 || a;
    value += 1 && sizeof(long) == 8;
    while (value > 1 && 1)
        value = 0;
    return value + (a == 3 || 0);               //~ COVERED
}
