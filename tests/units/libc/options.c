// tine-test: program
// Options of a command line that is an input.
#include <getopt.h>
#include <string.h>
#include <tine.h>

int main(void) {
    char first[4], *words[] = {"program", first, "x", NULL};
    tine_symbolic(first, 3, "first");
    first[3] = 0;
    opterr = 0;
    optind = 0;
    int n = 0;
    for (int option; (option = getopt(3, words, "ab:")) != -1;) {
        switch (option) {                                   //~ COVERED
        case 'a':
            n++;
            break;
        case 'b':
            tine_assert(strcmp(optarg, "7") != 0);          //~ ERROR assertion failure
            break;
        default:
            return 2;
        }
    }
    if (n == 2)                                             //~ COVERED
        return 1;
    tine_assert(optind != 2 || strcmp(first, "-bq"));       //~ ERROR assertion failure
    return 0;
}
