// tine-test: fn=for_ever check=-loop verdict=bounded reason=slow run-timeout=200ms
// A run that does not end is a bound if endless loops are not checked for.
int for_ever(int n) {
    volatile int k = 1;
    while (n == 9 && k)
        ;
    return 0;
}
