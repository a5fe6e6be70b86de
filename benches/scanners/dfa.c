/* A scanner of numbers, dates and identifiers by a table of states that is made at the start. */
#include <stdio.h>
#include <string.h>
enum { START, INT, DOT, FRAC, EXP, SIGN, EXPN, ID, DATE1, DATE2, STR, ESC, DONE, BAD, N_STATES };
enum { DIGIT, LETTER, E, POINT, PLUS, MINUS, QUOTE, BACK, SPACE, OTHER, END, N_CLASSES };
static unsigned char class_of[256];
static const unsigned char next[N_STATES][N_CLASSES] = {
    /*          DIGIT  LETTER E    POINT PLUS  MINUS  QUOTE BACK  SPACE  OTHER END */
    [START] = { INT,   ID,    ID,  DOT,  SIGN, SIGN,  STR,  BAD,  START, BAD,  DONE },
    [INT]   = { INT,   BAD,   EXP, FRAC, BAD,  DATE1, BAD,  BAD,  DONE,  BAD,  DONE },
    [DOT]   = { FRAC,  BAD,   BAD, BAD,  BAD,  BAD,   BAD,  BAD,  BAD,   BAD,  BAD },
    [FRAC]  = { FRAC,  BAD,   EXP, BAD,  BAD,  BAD,   BAD,  BAD,  DONE,  BAD,  DONE },
    [EXP]   = { EXPN,  BAD,   BAD, BAD,  EXPN, EXPN,  BAD,  BAD,  BAD,   BAD,  BAD },
    [SIGN]  = { INT,   BAD,   BAD, DOT,  BAD,  BAD,   BAD,  BAD,  BAD,   BAD,  BAD },
    [EXPN]  = { EXPN,  BAD,   BAD, BAD,  BAD,  BAD,   BAD,  BAD,  DONE,  BAD,  DONE },
    [ID]    = { ID,    ID,    ID,  BAD,  BAD,  ID,    BAD,  BAD,  DONE,  BAD,  DONE },
    [DATE1] = { DATE1, BAD,   BAD, BAD,  BAD,  DATE2, BAD,  BAD,  BAD,   BAD,  BAD },
    [DATE2] = { DATE2, BAD,   BAD, BAD,  BAD,  BAD,   BAD,  BAD,  DONE,  BAD,  DONE },
    [STR]   = { STR,   STR,   STR, STR,  STR,  STR,   DONE, ESC,  STR,   STR,  BAD },
    [ESC]   = { BAD,   STR,   STR, BAD,  BAD,  BAD,   STR,  STR,  BAD,   BAD,  BAD },
};
static void init(void) {
    memset(class_of, OTHER, sizeof class_of);
    for (int c = '0'; c <= '9'; c++) class_of[c] = DIGIT;
    for (int c = 'a'; c <= 'z'; c++) class_of[c] = class_of[c - 32] = LETTER;
    class_of['e'] = class_of['E'] = E;
    class_of['.'] = POINT; class_of['+'] = PLUS; class_of['-'] = MINUS;
    class_of['"'] = QUOTE; class_of['\\'] = BACK; class_of[0] = END;
    class_of[' '] = class_of['\n'] = class_of['\t'] = SPACE;
}
int main(void) {
    unsigned char text[33];
    init();
    size_t n = fread(text, 1, 32, stdin);
    text[n] = 0;
    unsigned char *p = text;
    int counts[N_STATES] = { 0 };
    while (*p) {
        int state = START, before = START;
        unsigned char *start = p;
        for (;;) {
            before = state;
            state = next[state][class_of[*p]];
            if (state == DONE || state == BAD) break;
            p++;
        }
        if (state == BAD) { printf("bad after %d\n", (int)(p - start)); return 1; }
        counts[before]++;
        switch (before) {
        case INT: printf("int\n"); break;
        case FRAC: printf("fraction\n"); break;
        case EXPN: printf("exponent\n"); break;
        case DATE2: if (p - start == 10 && start[4] == '-' && start[7] == '-') printf("date\n"); break;
        case ID: if (p - start == 4 && !memcmp(start, "true", 4)) printf("true\n"); break;
        case STR: printf("text\n"); break;
        }
        if (*p) p++;
    }
    if (counts[ID] == 2 && counts[INT] == 1) return 4;
    return 0;
}
