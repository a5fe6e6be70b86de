// tine-test: fn=contradiction paths=3
// What earlier conditions exclude is never entered.
int contradiction(int x) {
    if (x > 100) {              //~ COVERED
        if (x < 50)
            return -1;          //~ UNREACHABLE
        return 1;
    }
    if (x > 0) {                //~ COVERED
        if (x * x < 0)
            return -2;          //~ UNREACHABLE
        return 2;
    }
    if (x == 200)
        return -3;              //~ UNREACHABLE
    return 0;
}
