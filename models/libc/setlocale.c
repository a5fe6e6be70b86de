#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"

/* There are models for "C" and "C.UTF-8": others are not installed here. Which of them is asked for is decided here, and then
 * the library is told, so that functions without a model agree. */
char *library_setlocale(int category, const char *locale) LIBRARY(setlocale);
locale_t library_newlocale(int categories, const char *locale, locale_t base) LIBRARY(newlocale);

static const char *const NAMES[] = {"C", "POSIX", "C.UTF-8", "C.utf8"};
static const char *const CATEGORIES[] = {
    [LC_CTYPE] = "LC_CTYPE",       [LC_NUMERIC] = "LC_NUMERIC",         [LC_TIME] = "LC_TIME",
    [LC_COLLATE] = "LC_COLLATE",   [LC_MONETARY] = "LC_MONETARY",       [LC_MESSAGES] = "LC_MESSAGES",
    [LC_ALL] = NULL,               [LC_PAPER] = "LC_PAPER",             [LC_NAME] = "LC_NAME",
    [LC_ADDRESS] = "LC_ADDRESS",   [LC_TELEPHONE] = "LC_TELEPHONE",     [LC_MEASUREMENT] = "LC_MEASUREMENT",
    [LC_IDENTIFICATION] = "LC_IDENTIFICATION",
};
#define N_CATEGORIES (sizeof CATEGORIES / sizeof *CATEGORIES)

/* Files are read before the program starts, and not in every run. */
__attribute__((constructor)) static void load(void) { library_newlocale(LC_ALL_MASK, "C.UTF-8", NULL); }

static const char *known(const char *name) {
    for (unsigned k = 0; k < sizeof NAMES / sizeof *NAMES; k++)
        if (strcmp(name, NAMES[k]) == 0)
            return NAMES[k];
    return NULL;
}

/* "LC_CTYPE=C.UTF-8;LC_NUMERIC=C;…", as the library names a locale whose categories differ. */
static int parse(const char *text, const char *names[]) {
    for (int k = 0; k < N_CATEGORIES; k++) {
        if (k == LC_ALL)
            continue;
        size_t n = strlen(CATEGORIES[k]);
        if (strncmp(text, CATEGORIES[k], n) != 0 || text[n] != '=')
            return 0;
        text += n + 1;
        char name[8];
        for (n = 0; n < sizeof name - 1 && *text && *text != ';'; n++)
            name[n] = *text++;
        name[n] = 0;
        names[k] = known(name);
        if (!names[k] || *text != (k == LC_IDENTIFICATION ? 0 : ';'))
            return 0;
        text += *text == ';';
    }
    return 1;
}

/* The variable's value, if there is one. */
static const char *value(const char *variable) {
    const char *text = getenv(variable);
    return text && *text ? text : NULL;
}

/* What the environment says of each category. */
static int ask(int category, const char *names[]) {
    const char *all = value("LC_ALL"), *rest = all ? known(all) : NULL;
    int has_rest = all != NULL;
    for (int k = 0; k < N_CATEGORIES; k++) {
        if (k == LC_ALL || category != LC_ALL && category != k)
            continue;
        const char *own = all ? NULL : value(CATEGORIES[k]);
        if (!own && !has_rest) {
            const char *language = value("LANG");
            rest = language ? known(language) : "C";
            has_rest = 1;
        }
        names[k] = own ? known(own) : rest;
        if (!names[k])
            return 0;
    }
    return 1;
}

char *setlocale(int category, const char *locale) {
    if (category < LC_CTYPE || category > LC_IDENTIFICATION) {
        errno = EINVAL;
        return NULL;
    }
    if (!locale)
        return library_setlocale(category, NULL);
    const char *names[N_CATEGORIES];
    int is_known = 1;
    if (*locale) {
        const char *name = known(locale);
        is_known = name || category == LC_ALL && parse(locale, names);
        for (int k = 0; name && k < N_CATEGORIES; k++)
            names[k] = name;
    } else {
        is_known = ask(category, names);
    }
    if (!is_known) {
        errno = ENOENT;
        return NULL;
    }
    for (int k = 0; k < N_CATEGORIES; k++)
        if (k != LC_ALL && (category == LC_ALL || category == k) && !library_setlocale(k, names[k]))
            return NULL;
    return library_setlocale(category, NULL);
}
