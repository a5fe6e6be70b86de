// tine-test: fn=roman
// Roman numerals, of at most three letters.
static int digit(char c) {
    switch (c) {
    case 'I': return 1;
    case 'V': return 5;
    case 'X': return 10;
    case 'L': return 50;
    case 'C': return 100;
    }
    return 0;
}

int roman(char a, char b, char c) {
    char text[] = {a, b, c};
    int sum = 0, last = 1000;
    for (int i = 0; i < 3 && text[i]; i++) {
        int now = digit(text[i]);
        if (!now)
            return -1;
        if (now > last && (now > 10 * last || sum > last))
            return -2;
        sum += now > last ? now - 2 * last : now;
        last = now;
    }
    return sum ?: -3;
}
