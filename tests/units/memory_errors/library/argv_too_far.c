// tine-test: program sym-argv=1,2
// CWE-126: the arguments end with NULL; what follows is not theirs.
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "f") == 0)
        return argv[2][0]; //~ ERROR null pointer dereference
    for (char **a = argv + 1; *a; a++)
        if (!(*a)[0])
            return 1;
    return argv[argc] != NULL;
}
