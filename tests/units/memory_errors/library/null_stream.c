// tine-test: fn=pair unnoticed
// CWE-476: the result of `opendir` is not examined.
#include <dirent.h>
#include <stdio.h>

int bad(int n) {
    DIR *folder = opendir("there is no such folder");
    if (n == 3)
        return closedir(folder); //~ ERROR null passed where non-null is required
    return 0;
}

int good(int n) {
    DIR *folder = opendir("there is no such folder");
    fflush(NULL);
    if (n == 3 && folder)
        return closedir(folder);
    return 0;
}

int pair(int faulty, int n) { return faulty ? bad(n) : good(n); }
