// tine-test: fn=record verdict=bounded reason=--max-elements input=tine_file_1 cflags=-fwrapv
// A pointer to FILE is NULL or leads to a stream whose bytes are an input; what is written to it goes nowhere.
#include <stdio.h>

struct reader {
    FILE *from;
    int line;
};

int record(struct reader *r, FILE *log) {
    if (!r || !r->from || !log) //~ COVERED
        return 0;
    int c = fgetc(r->from);
    if (c == '#') { //~ COVERED
        fprintf(log, "line %d\n", r->line);
        if (fputs("next", log) == EOF)
            return 2; //~ UNREACHABLE
        if (fgetc(r->from) == '!' && fgetc(r->from) == EOF) //~ COVERED
            return 1 / (r->line - 4711); //~ ERROR division by zero
    }
    while ((c = fgetc(r->from)) != EOF && c != '\n') //~ COVERED
        ;
    return fclose(log);
}
