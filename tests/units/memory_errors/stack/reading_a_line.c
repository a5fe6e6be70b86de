// tine-test: program sym-stdin=6
// CWE-121: `fgets` writes as much as its size allows, and the newline is replaced in front of an empty line.
#include <stdio.h>
#include <string.h>

static int bad(void) {
    char line[3];
    if (!fgets(line, 3, stdin))
        return 0;
    char *end = line + strlen(line);
    end[1] = 0; //~ ERROR out-of-bounds write
    return line[0];
}

static int good(void) {
    char line[3];
    if (!fgets(line, sizeof line, stdin))
        return 0;
    char *end = line + strlen(line);
    if (end > line && end[-1] == '\n')
        end[-1] = 0;
    return line[0];
}

int main(void) { return getchar() == 'f' ? bad() : good(), 0; }
