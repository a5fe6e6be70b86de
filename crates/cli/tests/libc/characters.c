/* <ctype.h>: every character, many times. */
#include "compare.h"

#include <ctype.h>

int model_isupper(int);
int model_islower(int);
int model_isalpha(int);
int model_isdigit(int);
int model_isxdigit(int);
int model_isspace(int);
int model_isprint(int);
int model_isgraph(int);
int model_isblank(int);
int model_iscntrl(int);
int model_ispunct(int);
int model_isalnum(int);
int model_isascii(int);
int model_toascii(int);
int model_tolower(int);
int model_toupper(int);
int model__tolower(int);
int model__toupper(int);

/* From -128 on, as the library allows. */
#define SET c = (int)below(384) - 128

void compare_characters(void) {
    const char *s = "", *t = "";
    int c;
    COMPARE(isupper, SET, model_isupper(c), isupper(c));
    COMPARE(islower, SET, model_islower(c), islower(c));
    COMPARE(isalpha, SET, model_isalpha(c), isalpha(c));
    COMPARE(isdigit, SET, model_isdigit(c), isdigit(c));
    COMPARE(isxdigit, SET, model_isxdigit(c), isxdigit(c));
    COMPARE(isspace, SET, model_isspace(c), isspace(c));
    COMPARE(isprint, SET, model_isprint(c), isprint(c));
    COMPARE(isgraph, SET, model_isgraph(c), isgraph(c));
    COMPARE(isblank, SET, model_isblank(c), isblank(c));
    COMPARE(iscntrl, SET, model_iscntrl(c), iscntrl(c));
    COMPARE(ispunct, SET, model_ispunct(c), ispunct(c));
    COMPARE(isalnum, SET, model_isalnum(c), isalnum(c));
    COMPARE(isascii, SET, model_isascii(c), isascii(c));
    COMPARE(toascii, SET, model_toascii(c), toascii(c));
    COMPARE(tolower, SET, model_tolower(c), tolower(c));
    COMPARE(toupper, SET, model_toupper(c), toupper(c));
    COMPARE(_tolower, SET, model__tolower(c), _tolower(c));
    COMPARE(_toupper, SET, model__toupper(c), _toupper(c));
}
