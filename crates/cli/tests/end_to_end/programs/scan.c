/* Reads standard input with the format in the first argument, and prints the results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const FORMATS[] = {"%d%n", "%2x %n", "%i,%1s", " %3[0-2x]%c", "%*d%%%hhu", "a%2ca"};

int main(int argc, char **argv) {
    unsigned char to[4][16];
    memset(to, '.', sizeof to);
    int which = atoi(argv[1]);
    int n = which % 2 ? scanf(FORMATS[which], to[0], to[1], to[2]) : fscanf(stdin, FORMATS[which], to[0], to[1], to[2]);
    int next = getchar();
    printf("| %d", n);
    for (int k = 0; k < 4; k++)
        printf(" %02x%02x%02x%02x%02x", to[k][0], to[k][1], to[k][2], to[k][3], to[k][4]);
    printf(" %d\n", next);
    return argc == 0;
}
