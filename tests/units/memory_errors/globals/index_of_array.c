// tine-test: fn=pair
// CWE-788: an index of a global array, checked with `<=`.
static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int bad(unsigned month) {
    if (month > 12)
        return 0;
    return days[month]; //~ ERROR array index out of bounds
}

int good(unsigned month) {
    if (month < 1 || month > 12)
        return 0;
    const int *from_one = days + 12 - month; /* counted from the end */
    return from_one[month - 1];
}

int pair(int faulty, unsigned month) { return faulty ? bad(month) : good(month); }
