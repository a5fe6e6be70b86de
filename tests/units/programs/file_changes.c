// tine-test: program sym-file=A,2 verdict=incomplete reason="reads back"
/* A file that is an input can be renamed, removed, replaced and changed. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    char byte = 0, other = 0;
    int open_before = open("A", O_RDONLY);
    if (read(open_before, &byte, 1) != 1)
        return 0;
    if (byte == 'r') {
        assert(rename("A", "B") == 0);
        assert(open("A", O_RDONLY) == -1 && errno == ENOENT);
        int moved = open("B", O_RDONLY);
        assert(moved >= 0 && read(moved, &other, 1) == 1 && other == byte);
        if (read(moved, &other, 1) == 1 && other == 'y')
            abort(); //~ ERROR abort
    } else if (byte == 'u') {
        assert(unlink("A") == 0);
        assert(access("A", F_OK) == -1 && errno == ENOENT);
        assert(unlink("A") == -1);
        /* What is open stays. */
        if (read(open_before, &other, 1) == 1 && other == 'z')
            abort(); //~ ERROR abort
    } else if (byte == 'a') {
        FILE *end = fopen("A", "a");
        assert(end);
        fputs("!", end);
        fclose(end);
        int again = open("A", O_RDONLY);
        assert(read(again, &other, 1) == 1 && other == 'a');
        assert(lseek(again, -1, SEEK_END) >= 1 && read(again, &other, 1) == 1 && other == '!');
    } else if (byte == 'w') {
        FILE *fresh = fopen("A", "w");
        assert(fresh);
        fclose(fresh);
        int again = open("A", O_RDONLY);
        assert(again >= 0 && read(again, &other, 1) == 0);
    }
    return 0;
}
