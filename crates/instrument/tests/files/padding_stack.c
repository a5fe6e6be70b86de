// Arrays on the stack have padding around them.
int f(int i) {
    char a[5];
    a[i] = 1;
    return a[0];
}
