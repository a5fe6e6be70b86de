// tine-test: fn=ranges branches=5 paths=5
// A long range is one case of its switch.
int ranges(int x) {
    switch (x) {                                //~ COVERED
    case 0 ... 99:
        return 1;
    case 500:
        return 2;
    case 1000 ... 9999:
    case -3:
        return 3;
    case -90000 ... -100:
        break;
    default:
        return 4;
    }
    return 5;
}
