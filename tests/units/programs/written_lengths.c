// tine-test: fn=after_text verdict=incomplete reason="reads back" max-string=4
// tine-test: fn=after_number verdict=incomplete reason="reads back"
// tine-test: fn=after_bytes verdict=incomplete reason="reads back"
// tine-test: fn=counted verdict=incomplete reason="not instrumented"
// tine-test: fn=of_read_file
// The position in a written file may depend on the lengths of the data.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int after_text(const char *s) {
    if (!s) return 0;
    FILE *file = fopen("o", "w");
    fputs(s, file);
    if (ftell(file) == 3) abort();
    return 0;
}
int after_number(int x) {
    FILE *file = fopen("o", "w");
    fprintf(file, "%d", x);
    if (ftell(file) == 3) abort();                      //~ ERROR abort
    return 0;
}
int after_bytes(unsigned n) {
    char bytes[8] = {0};
    int file = creat("o", 0600);
    if (write(file, bytes, n & 7) < 0) return 0;
    if (lseek(file, 0, SEEK_CUR) == 3) abort();         //~ ERROR abort
    return 0;
}
int counted(int x) {
    int n = 0;
    printf("%d%n", x, &n);
    if (n == 3) abort();                                //~ ERROR abort
    return 0;
}
int of_read_file(int x) {
    FILE *file = fopen("/dev/null", "r");
    if (!file) return 0;
    if (x == 77) return ftell(file) != 0;               //~ COVERED
    return 0;
}
