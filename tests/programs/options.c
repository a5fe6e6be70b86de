// tine-test: program sym-argv=2,2
// Options of a command line.
#include <stdio.h>
#include <string.h>

static int verbose, width = 80;

static int option(const char *text) {
    if (text[0] != '-' || text[1] == '\0')
        return 0;
    switch (text[1]) {
    case 'v':
        verbose = 1;
        return 1;
    case 'w':
        width = verbose ? 40 : 20;   //~ GCOV choice
        return 1;
    }
    return -1;
}

int main(int argc, char **argv) {
    int files = 0;
    for (int i = 1; i < argc; i++) {
        int known = option(argv[i]);
        if (known < 0)
            return 2;
        files += !known && strcmp(argv[i], "--") != 0;
    }
    if (files > 1 || (verbose && width == 20))
        puts("too many");
    return files == 0 || width < 80;
}
