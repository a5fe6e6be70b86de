// tine-test: fn=count verdict=bounded
// A variable that begins as NULL is compared to see whether it was set, which says nothing about the parameter.
int count(const char *text) {
    const char *mark = 0;
    int n = 0;
    for (const char *p = text; *p; p++) {       //~ REQUIRES text != NULL
        if (*p == ':')
            mark = p;
        if (mark)
            n++;
    }
    return n;
}
