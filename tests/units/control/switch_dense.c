// tine-test: fn=switch_dense paths=6
// Neighbouring cases, each with its own way.
int switch_dense(int x) {
    switch (x) {                //~ COVERED
    case 0:
        return 10;
    case 1:
        return 11;
    case 2:
        return 12;
    case 3:
        return 13;
    case 4:
        return 14;
    default:
        return -1;
    }
}
