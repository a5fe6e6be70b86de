// tine-test: fn=count
// A scanner made of labels.
int count(char a, char b, char c) {
    char text[4] = {a, b, c, '\0'};
    const char *at = text;
    int n = 0;
start:
    if (*at == ' ') {
        at++;
        goto start;
    }
    if (*at == '\0')
        goto end;
    if (*at == '"')
        goto quoted;
    n++;
word:
    if (*at == ' ' || *at == '\0')
        goto start;
    at++;
    goto word;
quoted:
    do
        at++;
    while (*at != '"' && *at != '\0');
    if (!*at)
        return -1;
    at++;
    n++;
    goto start;
end:
    return n > 1 ? n : -n;
}
