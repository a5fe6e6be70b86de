/* Options of a command line. Words that are not options are moved after all options when the next option is requested. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scan {
    /* The remaining letters of an element with several letters. */
    char *letters;
    /* The words from here to `end` are not options. They are moved later. */
    int waiting, end;
    /* '+': stop at the first word that is not an option. '-': return such words as options. 0: move them. */
    char order;
    int started;
};

static void reverse(char **words, int from, int to) {
    for (to--; from < to; from++, to--) {
        char *word = words[from];
        words[from] = words[to];
        words[to] = word;
    }
}

/* Moves the waiting words after the elements that were read after them. */
static void settle(struct scan *scan, char **words) {
    int moved = optind - scan->end;
    if (scan->waiting != scan->end && moved > 0) {
        reverse(words, scan->waiting, scan->end);
        reverse(words, scan->end, optind);
        reverse(words, scan->waiting, optind);
        scan->waiting += moved;
    } else if (moved > 0) {
        scan->waiting = optind;
    }
    scan->end = optind;
}

static int is_word(const char *text) { return text[0] != '-' || text[1] == 0; }

/* Finds the next element with options; 0 if there is one, otherwise the value to return. */
static int find_element(struct scan *scan, int n, char **words) {
    if (scan->end > optind)
        scan->end = optind;
    if (scan->waiting > optind)
        scan->waiting = optind;
    if (scan->order == 0) {
        settle(scan, words);
        while (optind < n && is_word(words[optind]))
            optind++;
        scan->end = optind;
    }
    if (optind < n && strcmp(words[optind], "--") == 0) {
        optind++;
        settle(scan, words);
        scan->end = optind = n;
    }
    if (optind >= n) {
        if (scan->waiting != scan->end)
            optind = scan->waiting;
        return -1;
    }
    if (is_word(words[optind])) {
        if (scan->order == '+')
            return -1;
        optarg = words[optind++];
        return 1;
    }
    return 0;
}

/* No such long option: its first letter may be a short one. */
#define NO_LONG_OPTION -2

/* The option with exactly this name, and the name's length. Searched first, before any test of where the name ends: so
 * each option is one decision away. */
static const struct option *exact_option(const char *name, const struct option *options, size_t *length) {
    for (const struct option *option = options; option->name; option++) {
        *length = strlen(option->name);
        if (strncmp(name, option->name, *length) == 0 && (name[*length] == 0 || name[*length] == '='))
            return option;
    }
    return NULL;
}

/* A long option whose name starts at `name`, after `dashes`. With one dash it may be one of these `letters` instead. */
static int long_option(int n, char **words, char *name, int silent, char missing, const struct option *options,
                       int *index, const char *letters, const char *dashes) {
    size_t length = 0;
    const struct option *found = exact_option(name, options, &length);
    int ambiguous = 0;
    if (!found) {
        length = strcspn(name, "=");
        for (const struct option *option = options; option->name; option++) {
            if (strncmp(option->name, name, length) != 0)
                continue;
            if (!found)
                found = option;
            else if (found->has_arg != option->has_arg || found->flag != option->flag || found->val != option->val)
                ambiguous = 1;
        }
    }
    if (!found && letters && strchr(letters, *name))
        return NO_LONG_OPTION;
    optind++;
    if (!found || ambiguous) {
        if (!silent && found) {
            fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", words[0], dashes, name);
            for (const struct option *option = options; option->name; option++)
                if (strncmp(option->name, name, length) == 0)
                    fprintf(stderr, " '%s%s'", dashes, option->name);
            fprintf(stderr, "\n");
        } else if (!silent) {
            fprintf(stderr, "%s: unrecognized option '%s%s'\n", words[0], dashes, name);
        }
        optopt = 0;
        return '?';
    }
    if (name[length]) {
        if (!found->has_arg) {
            if (!silent)
                fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", words[0], dashes, found->name);
            optopt = found->val;
            return '?';
        }
        optarg = name + length + 1;
    } else if (found->has_arg == required_argument) {
        if (optind >= n) {
            if (!silent)
                fprintf(stderr, "%s: option '%s%s' requires an argument\n", words[0], dashes, found->name);
            optopt = found->val;
            return missing;
        }
        optarg = words[optind++];
    }
    if (index)
        *index = (int)(found - options);
    if (!found->flag)
        return found->val;
    *found->flag = found->val;
    return 0;
}

static int next_option(struct scan *scan, int n, char **words, const char *letters, const struct option *options,
                       int *index, int one_dash) {
    if (n < 1)
        return -1;
    optarg = NULL;
    if (optind == 0 || !scan->started) {
        if (optind == 0)
            optind = 1;
        scan->waiting = scan->end = optind;
        scan->letters = NULL;
        scan->started = 1;
        scan->order = *letters == '-' || *letters == '+' ? *letters : getenv("POSIXLY_CORRECT") ? '+' : 0;
    }
    if (*letters == '-' || *letters == '+')
        letters++;
    int silent = *letters == ':' || !opterr;
    char missing = *letters == ':' ? ':' : '?';
    if (!scan->letters || !*scan->letters) {
        int ended = find_element(scan, n, words);
        if (ended)
            return ended;
        char *element = words[optind];
        if (options && element[1] == '-')
            return long_option(n, words, element + 2, silent, missing, options, index, NULL, "--");
        if (options && one_dash && (element[2] || !strchr(letters, element[1]))) {
            int option = long_option(n, words, element + 1, silent, missing, options, index, letters, "-");
            if (option != NO_LONG_OPTION)
                return option;
        }
        scan->letters = element + 1;
    }
    char letter = *scan->letters++;
    const char *known = letter == ':' || letter == ';' ? NULL : strchr(letters, letter);
    int is_last = 0;
    /* A decision, so that the index does not depend on inputs. */
    if (!*scan->letters) {
        is_last = 1;
        optind++;
    }
    if (!known) {
        if (!silent)
            fprintf(stderr, "%s: invalid option -- '%c'\n", words[0], letter);
        optopt = letter;
        return '?';
    }
    /* `-W name` and `-Wname` are `--name`. */
    int is_long = options && letter == 'W' && known[1] == ';';
    if (known[1] != ':' && !is_long)
        return letter;
    if (is_long && (!is_last || optind < n)) {
        char *name = is_last ? words[optind] : scan->letters;
        scan->letters = NULL;
        return long_option(n, words, name, silent, missing, options, index, NULL, "-W ");
    }
    if (!is_last) {
        optarg = scan->letters;
        optind++;
    } else if (known[2] != ':') {
        if (optind >= n) {
            if (!silent)
                fprintf(stderr, "%s: option requires an argument -- '%c'\n", words[0], letter);
            optopt = letter;
            letter = missing;
        } else {
            optarg = words[optind++];
        }
    }
    scan->letters = NULL;
    return letter;
}
