// tine-test: fn=reach paths=2 exit=1
// The error function of Test-Comp, only declared.
extern void reach_error(void);

int reach(unsigned x) {
    if (x * 7u == 7777u)
        reach_error();                      //~ ERROR reach_error
    return 0;
}
