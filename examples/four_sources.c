// tine-test: program sym-argv=1,3 sym-stdin=5 sym-file=settings,3 sym-env=COLOUR,3
/* A program that reads its arguments, standard input, a file and an environment variable, with a mistake in each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void arguments(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "-n", 2) == 0 && 100 / (atoi(argv[i] + 2) - 7) > 99) //~ ERROR division by zero
            puts("much");
}

static void standard_input(void) {
    char line[16];
    while (fgets(line, sizeof line, stdin))
        if (strcmp(line, "quit\n") == 0)
            abort(); //~ ERROR abort
}

static void file(void) {
    FILE *file = fopen("settings", "r");
    if (!file)
        return;
    int first = getc(file), second = getc(file);
    rewind(file);
    if (first == '#' && second == '!' && getc(file) == '#' && fseek(file, -1, SEEK_END) == 0 && getc(file) == 'x')
        abort(); //~ ERROR abort
    fclose(file);
}

static void variable(void) {
    const char *colour = getenv("COLOUR");
    if (colour && strcmp(colour, "red") == 0)
        abort(); //~ ERROR abort
}

int main(int argc, char **argv) {
    arguments(argc, argv);
    standard_input();
    file();
    variable();
    return 0;
}
