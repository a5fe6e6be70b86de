/* replace PATTERN SUBSTITUTE: copies standard input and puts SUBSTITUTE where PATTERN matches, from left to right.
 *
 * PATTERN:     %   at the start: the start of a line        $   at the end: the end of a line
 *              ?   any character                             [abc] [a-z] [^...]  one of a class, or one of no such
 *              X*  any number of X, as many as will do       @X  X itself; @n a new line, @t a tabulator
 * SUBSTITUTE:  &   what matched                              @X  as above
 *
 * The job is that of the program `replace` of the Siemens suite, which the paper on CREST explores.
 */
#include <stdio.h>

enum { MAX_PARTS = 32, MAX_SET = 64, MAX_LINE = 256 };

enum kind { LITERAL, ANY, CLASS, NOT_CLASS, LINE_START, LINE_END, WHOLE };

struct part {
    enum kind kind;
    int repeated;
    char literal;
    int n_set;
    char set[MAX_SET];
};

struct pattern {
    int n;
    struct part parts[MAX_PARTS];
};

static const char *why; /* what is wrong with the arguments */

static int is_alphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* The character that the text at *at stands for; moves past it. */
static char escaped(const char **at) {
    char c = *(*at)++;
    if (c != '@')
        return c;
    if (**at == '\0')
        return '@'; /* nothing follows: itself */
    c = *(*at)++;
    if (c == 'n')
        return '\n';
    if (c == 't')
        return '\t';
    return c;
}

static int add_to_set(struct part *part, char c) {
    for (int i = 0; i < part->n_set; i++)
        if (part->set[i] == c)
            return 1;
    if (part->n_set == MAX_SET) {
        why = "a class has too many characters";
        return 0;
    }
    part->set[part->n_set++] = c;
    return 1;
}

/* From after the opening bracket to after the closing one. */
static int parse_class(const char **at, struct part *part) {
    part->kind = CLASS;
    if (**at == '^') {
        part->kind = NOT_CLASS;
        ++*at;
    }
    char last = 0;
    while (**at != ']') {
        if (**at == '\0') {
            why = "a class is not closed";
            return 0;
        }
        if (**at == '-' && last && (*at)[1] != ']' && (*at)[1] != '\0') {
            ++*at;
            char end = escaped(at);
            if (!is_alphanumeric(last) || !is_alphanumeric(end) || last > end) {
                why = "a range has no order";
                return 0;
            }
            for (char c = last; c < end; c++)
                if (!add_to_set(part, c))
                    return 0;
            last = end;
        } else {
            last = escaped(at);
        }
        if (!add_to_set(part, last))
            return 0;
    }
    ++*at;
    if (part->n_set == 0) {
        why = "a class is empty";
        return 0;
    }
    return 1;
}

static int parse_pattern(const char *text, struct pattern *pattern) {
    const char *at = text;
    while (*at) {
        if (*at == '*' && at != text) {
            struct part *last = &pattern->parts[pattern->n - 1];
            if (last->kind == LINE_START || last->kind == LINE_END || last->repeated) {
                why = "nothing to repeat";
                return 0;
            }
            last->repeated = 1;
            at++;
            continue;
        }
        if (pattern->n == MAX_PARTS) {
            why = "the pattern is too long";
            return 0;
        }
        struct part *part = &pattern->parts[pattern->n++];
        if (*at == '%' && at == text) {
            part->kind = LINE_START;
            at++;
        } else if (*at == '$' && at[1] == '\0') {
            part->kind = LINE_END;
            at++;
        } else if (*at == '?') {
            part->kind = ANY;
            at++;
        } else if (*at == '[') {
            at++;
            if (!parse_class(&at, part))
                return 0;
        } else {
            part->kind = LITERAL;
            part->literal = escaped(&at);
        }
    }
    if (pattern->n == 0) {
        why = "the pattern is empty";
        return 0;
    }
    return 1;
}

static int parse_substitute(const char *text, struct pattern *substitute) {
    while (*text) {
        if (substitute->n == MAX_PARTS) {
            why = "the substitute is too long";
            return 0;
        }
        struct part *part = &substitute->parts[substitute->n++];
        if (*text == '&') {
            part->kind = WHOLE;
            text++;
        } else {
            part->kind = LITERAL;
            part->literal = escaped(&text);
        }
    }
    return 1;
}

static int is_in_set(const struct part *part, char c) {
    for (int i = 0; i < part->n_set; i++)
        if (part->set[i] == c)
            return 1;
    return 0;
}

/* Whether one character of a line fits. */
static int fits(const struct part *part, char c) {
    if (c == '\0' || c == '\n')
        return part->kind == LITERAL && c == '\n' && part->literal == c;
    switch (part->kind) {
    case LITERAL:
        return part->literal == c;
    case ANY:
        return 1;
    case CLASS:
        return is_in_set(part, c);
    case NOT_CLASS:
        return !is_in_set(part, c);
    default:
        return 0;
    }
}

/* The end of a match of the parts from `part` on at line[from], or -1. */
static int match(const struct pattern *pattern, int part, const char *line, int from) {
    for (; part < pattern->n; part++) {
        const struct part *now = &pattern->parts[part];
        if (now->kind == LINE_START) {
            if (from != 0)
                return -1;
        } else if (now->kind == LINE_END) {
            if (line[from] != '\0' && line[from] != '\n')
                return -1;
        } else if (now->repeated) {
            int to = from;
            while (fits(now, line[to]))
                to++;
            for (; to >= from; to--) {
                int end = match(pattern, part + 1, line, to);
                if (end >= 0)
                    return end;
            }
            return -1;
        } else {
            if (!fits(now, line[from]))
                return -1;
            from++;
        }
    }
    return from;
}

static void put_substitute(const struct pattern *substitute, const char *line, int from, int to) {
    for (int i = 0; i < substitute->n; i++) {
        if (substitute->parts[i].kind == WHOLE)
            for (int k = from; k < to; k++)
                putchar(line[k]);
        else
            putchar(substitute->parts[i].literal);
    }
}

static void change_line(const char *line, const struct pattern *pattern, const struct pattern *substitute) {
    int last = -1; /* where the last match ended: an empty one does not follow there */
    int at = 0;
    while (line[at]) {
        int end = match(pattern, 0, line, at);
        if (end >= 0 && end != last) {
            put_substitute(substitute, line, at, end);
            last = end;
        }
        if (end < 0 || end == at)
            putchar(line[at++]);
        else
            at = end;
    }
}

/* The next line with its end, or 0. */
static int read_line(char *line) {
    int n = 0, c;
    while (n < MAX_LINE - 1 && (c = getchar()) != EOF) {
        line[n++] = (char)c;
        if (c == '\n' || c == '\0')
            break;
    }
    line[n] = '\0';
    return n > 0;
}

int main(int argc, char **argv) {
    static struct pattern pattern, substitute;
    char line[MAX_LINE];
    if (argc < 2 || argc > 3) {
        fputs("usage: replace PATTERN [SUBSTITUTE]\n", stderr);
        return 2;
    }
    if (!parse_pattern(argv[1], &pattern) || (argc == 3 && !parse_substitute(argv[2], &substitute))) {
        fprintf(stderr, "replace: %s\n", why);
        return 2;
    }
    while (read_line(line))
        change_line(line, &pattern, &substitute);
    return 0;
}
