#include <errno.h>
#include <locale.h>
#include <string.h>

#include "library.h"

/* Models exist for "C" and "C.UTF-8"; other locales are not installed here. The requested one is decided here. Then the
 * library's locale is set, so that functions without a model agree. */
char *library_setlocale(int category, const char *locale) LIBRARY(setlocale);
locale_t library_newlocale(int categories, const char *locale, locale_t base) LIBRARY(newlocale);

extern char **environ;

static const char *const NAMES[] = {"C", "POSIX", "C.UTF-8", "C.utf8"};
static const char *const CATEGORIES[] = {
    [LC_CTYPE] = "LC_CTYPE",       [LC_NUMERIC] = "LC_NUMERIC",         [LC_TIME] = "LC_TIME",
    [LC_COLLATE] = "LC_COLLATE",   [LC_MONETARY] = "LC_MONETARY",       [LC_MESSAGES] = "LC_MESSAGES",
    [LC_ALL] = "LC_ALL",           [LC_PAPER] = "LC_PAPER",             [LC_NAME] = "LC_NAME",
    [LC_ADDRESS] = "LC_ADDRESS",   [LC_TELEPHONE] = "LC_TELEPHONE",     [LC_MEASUREMENT] = "LC_MEASUREMENT",
    [LC_IDENTIFICATION] = "LC_IDENTIFICATION",
};
#define N_CATEGORIES (sizeof CATEGORIES / sizeof *CATEGORIES)

/* Files are read before the program starts, so that this is not repeated in every run. */
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

/* Values of the locale variables, each read once. */
struct variables {
    const char *of[N_CATEGORIES], *language;
};

static struct variables variables(void) {
    struct variables found = {{NULL}, NULL};
    for (char **at = environ; at && *at; at++) {
        const char *text = *at;
        if (text[0] != 'L')
            continue;
        if (strncmp(text, "LANG=", 5) == 0 && !found.language)
            found.language = text + 5;
        for (int k = 0; strncmp(text, "LC_", 3) == 0 && k < N_CATEGORIES; k++) {
            size_t n = strlen(CATEGORIES[k]);
            if (!found.of[k] && strncmp(text, CATEGORIES[k], n) == 0 && text[n] == '=')
                found.of[k] = text + n + 1;
        }
    }
    return found;
}

/* An empty value counts as unset. */
static int is_set(const char *value) { return value && *value; }

/* The locale of each category according to the environment. */
static int ask(int category, const char *names[]) {
    struct variables found = variables();
    int is_all = is_set(found.of[LC_ALL]), has_rest = is_all;
    const char *rest = is_all ? known(found.of[LC_ALL]) : NULL;
    for (int k = 0; k < N_CATEGORIES; k++) {
        if (k == LC_ALL || category != LC_ALL && category != k)
            continue;
        int is_own = !is_all && is_set(found.of[k]);
        if (!is_own && !has_rest) {
            rest = is_set(found.language) ? known(found.language) : "C";
            has_rest = 1;
        }
        names[k] = is_own ? known(found.of[k]) : rest;
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
