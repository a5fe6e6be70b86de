// Variadic functions keep shadows of the arguments in their list.
int f(int n, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, n);
    int x = __builtin_va_arg(list, int);
    __builtin_va_end(list);
    return x == 7;
}
