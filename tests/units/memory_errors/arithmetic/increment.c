// tine-test: fn=pair
// CWE-190: a counter at its limit. A smaller type is converted instead, which is defined.
int bad(int *count) {
    if (count)
        ++*count; //~ ERROR signed integer overflow
    return 0;
}

int good(int *count) {
    signed char c = (signed char)(count ? *count : 0);
    c++; /* computed as int and converted back */
    return c;
}

int pair(int faulty, int *count) { return faulty ? bad(count) : good(count); }
