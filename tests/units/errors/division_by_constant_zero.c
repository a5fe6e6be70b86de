// tine-test: fn=operations exit=1
// clang folds the comparison with zero: the kind of error follows from the operation.
struct pair { int first, second; };

int operations(int which, int x) {
    switch (which) {
    case 1:
        return x / 0;                               //~ ERROR division by zero
    case 2:
        return (unsigned)x % 0u;                    //~ ERROR division by zero
    case 3:
        return ((struct pair *)0)->second + x;      //~ ERROR null pointer dereference
    case 4:
        *(int *)0 = x;                              //~ ERROR null pointer dereference
        return 0;
    default:
        return 0;
    }
}
