/* Uses all operations on a file and on standard input, and prints the results. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void say(const char *what, long result) { printf("| %s %ld %d\n", what, result, result < 0 ? errno : 0); }

static void show(const char *what, const char *bytes, long n) {
    printf("| %s", what);
    for (long i = 0; i < n; i++)
        printf(" %02x", (unsigned char)bytes[i]);
    printf("\n");
}

static void descriptors(int fd) {
    char buffer[8];
    struct stat status;
    long n = read(fd, buffer, 2);
    say("read", n);
    show("bytes", buffer, n);
    say("end", lseek(fd, 0, SEEK_END));
    say("past the end", read(fd, buffer, sizeof buffer));
    say("back", lseek(fd, -1, SEEK_CUR));
    n = read(fd, buffer, sizeof buffer);
    say("read", n);
    show("bytes", buffer, n > 0 ? n : 0);
    say("start", lseek(fd, 0, SEEK_SET));
    say("before the start", lseek(fd, -1, SEEK_SET));
    say("nowhere", lseek(fd, 0, 77));
    n = pread(fd, buffer, 4, 1);
    say("pread", n);
    show("bytes", buffer, n);
    say("fstat", fstat(fd, &status));
    say("size", status.st_size);
    say("regular", S_ISREG(status.st_mode));
    int waiting = -1;
    say("ioctl", ioctl(fd, FIONREAD, &waiting));
    say("waiting", waiting);
    struct winsize window;
    say("window", ioctl(fd, TIOCGWINSZ, &window));
    say("terminal", isatty(fd));
    int other = dup(fd);
    say("through another", read(other, buffer, 1));
    say("position", lseek(fd, 0, SEEK_CUR));
    say("close", close(other));
    say("flags", fcntl(fd, F_GETFL) & O_ACCMODE);
    if (status.st_size > 0) {
        char *mapped = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        show("mapped", mapped, status.st_size);
        say("munmap", munmap(mapped, status.st_size));
    }
    say("start", lseek(fd, 0, SEEK_SET));
}

static void streams(FILE *file) {
    char line[3], *longer = NULL;
    size_t room = 0;
    int c = getc(file);
    say("getc", c);
    say("end", feof(file));
    if (c != EOF) {
        say("ungetc", ungetc('x', file) == 'x');
        say("tell", ftell(file));
        say("pushed", getc(file));
    }
    while (fgets(line, sizeof line, file))
        show("fgets", line, strlen(line));
    say("end", feof(file));
    rewind(file);
    say("after rewinding", feof(file));
    long n;
    while ((n = getline(&longer, &room, file)) > 0)
        show("getline", longer, n);
    say("at the end", n);
    say("seek", fseek(file, -1, SEEK_END));
    say("last", getc(file));
    say("tell", ftell(file));
    say("seek", fseek(file, 1, SEEK_SET));
    struct { char two[2]; } pairs[2];
    say("fread", fread(pairs, 2, 2, file));
    say("end", feof(file));
    say("error", ferror(file));
    clearerr(file);
    say("cleared", feof(file));
    say("rewound", fseek(file, 0, SEEK_SET));
    n = getdelim(&longer, &room, 'a', file);
    show("getdelim", longer, n > 0 ? n : 0);
    say("rewound", fseeko(file, 0, SEEK_SET));
    free(longer);
}

int main(void) {
    struct stat status;
    say("stat", stat("input", &status));
    say("size", status.st_size);
    say("none", stat("no such file", &status));
    say("access", access("./input", R_OK));
    say("no program", access("input", X_OK));
    int fd = open("input", O_RDONLY), again = open("./input", O_RDONLY);
    descriptors(fd);
    char first = 0;
    say("two openings", read(again, &first, 1));
    say("and the other", lseek(fd, 0, SEEK_CUR));
    FILE *file = fdopen(again, "r");
    streams(file);
    say("close", fclose(file));
    say("closed", read(again, &first, 1));
    file = fopen("input", "r");
    streams(file);
    say("close", fclose(file));
    streams(stdin);
    /* Streams may read ahead, so reset the position. */
    say("rewound", lseek(fileno(stdin), 0, SEEK_SET));
    descriptors(fileno(stdin));
    say("dup2", dup2(fd, 0));
    say("read", read(0, &first, 1));
    say("close", close(0));
    say("again", read(0, &first, 1));
    say("not there", open("no such file", O_RDONLY));
    return first == 'q';
}
