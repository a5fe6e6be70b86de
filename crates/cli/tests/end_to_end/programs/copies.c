/* Copies standard input into a file in two steps, and prints the results. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void say(const char *what, long result) { printf("| %s %ld %d\n", what, result, result < 0 ? errno : 0); }

int main(void) {
    unsigned char buffer[8];
    int to = open("copied", O_RDWR | O_CREAT | O_TRUNC, 0600);
    off64_t at = 1;
    say("copied", copy_file_range(0, &at, to, NULL, 1, 0));
    say("copied", copy_file_range(0, NULL, to, NULL, sizeof buffer, 0));
    say("no more", copy_file_range(0, NULL, to, NULL, sizeof buffer, 0));
    say("to itself", copy_file_range(0, NULL, 0, NULL, 1, 0));
    say("flags", copy_file_range(0, NULL, to, NULL, 1, 1));
    say("rewound", lseek(to, 0, SEEK_SET));
    long n = read(to, buffer, sizeof buffer);
    say("read", n);
    for (long i = 0; i < n; i++)
        say("byte", buffer[i]);
    return 0;
}
