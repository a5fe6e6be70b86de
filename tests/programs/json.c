// tine-test: fn=json
// A reader of small JSON values: true, digits, lists.
static const char *at;

static int value(int depth) {
    if (*at == '[' && depth < 2) {
        at++;
        if (*at == ']')
            return at++, 1;
        while (value(depth + 1)) {
            if (*at == ']')
                return at++, 1;
            if (*at++ != ',')
                return 0;
        }
        return 0;
    }
    if (*at == 't' || *at == 'f')
        return at++, 1;
    int negative = *at == '-' && at[1] != '0';
    at += negative;
    if (*at < '0' || *at > '9')
        return 0;
    while (*at >= '0' && *at <= '9')
        at++;
    return 1;
}

int json(char a, char b, char c, char d) {
    char text[] = {a, b, c, d, 0};
    at = text;
    return value(0) && !*at;
}
