// tine-test: fn=loop_depth depth=6 verdict=bounded reason="depth"
// Past the bound on decisions a run goes on, but nothing more is opened.
int loop_depth(unsigned n) {
    unsigned i = 0;
    if (n > 40u)                    //~ COVERED
        return -1;
    while (i < n)                   //~ COVERED
        i++;
    return (int)i;
}
