/* Start of a program whose arguments, environment and files are inputs (`tine run --sym-argv` and others): makes them,
 * then calls `main`. The parameter is a string with one line for each of them:
 *
 *     stdin 16            standard input, up to 16 bytes
 *     file 32 NAME        a file
 *     env 8 NAME          an environment variable, set or not, up to 8 characters
 *     argv 2 8            up to 2 more arguments of up to 8 characters
 *     fail 1 2            at most this many calls may fail, of the kinds whose bits are set
 *     time, random        the results of `time`, `rand` and similar functions
 *
 * Choices have no names, because their effect shows them. Files come first and arguments last, so that the number of
 * arguments does not change the numbers of requests. Without arguments and variables, files become inputs at the first
 * access to one. Everything before it is equal in every run and need not be repeated (`--fork-server`).
 */
#define _GNU_SOURCE
#include <tine.h>

#include "../posix/files.h"

/* Number of an `InputKind` in tine's trace format, and the flag for an input that is zero at first for any seed. */
#define TEXT 12
#define ZERO_FILL 256

extern char **environ;

typedef int main_function(int, char **, char **);

static unsigned number(const char **text) {
    unsigned value = 0;
    while (**text == ' ')
        ++*text;
    while (**text >= '0' && **text <= '9')
        value = value * 10 + (unsigned)(*(*text)++ - '0');
    return value;
}

static char *rest_of_line(const char *text) {
    unsigned n = 0;
    while (*text == ' ')
        text++;
    while (text[n] && text[n] != '\n')
        n++;
    char *copy = malloc(n + 1);
    memcpy(copy, text, n);
    copy[n] = 0;
    return copy;
}

static int begins(const char **line, const char *word) {
    unsigned n = 0;
    for (; word[n]; n++)
        if ((*line)[n] != word[n])
            return 0;
    *line += n;
    return 1;
}

static struct __tine_file *add_file(const char *name, const char *shown, unsigned capacity) {
    if (__tine_files.n_files == MAX_FILES)
        return NULL;
    unsigned char *bytes = malloc(sizeof(unsigned) + capacity);
    struct __tine_file *file = &__tine_files.files[__tine_files.n_files++];
    file->name = name;
    file->shown = shown;
    file->bytes = bytes + sizeof(unsigned);
    file->capacity = capacity;
    if (name)
        locate(file, AT_FDCWD, name);
    return file;
}

static void add_stdin(unsigned capacity) {
    struct __tine_file *file = add_file(NULL, "stdin", capacity);
    __tine_files.openings[0] = (struct __tine_opening){file, 0, 1};
    __tine_files.descriptors[0] = &__tine_files.openings[0];
    new_stream(stdin, 0);
}

/* A string that starts with `before`, followed by an input of up to `most` characters. */
static char *text(const char *before, const char *name, unsigned most) {
    unsigned n = strlen(before);
    char *text = malloc(n + most + 1);
    memcpy(text, before, n);
    __tine_input(text + n, most, name, TEXT | ZERO_FILL);
    text[n + most] = 0;
    return text;
}

static void add_variable(const char *name, unsigned most) {
    unsigned n = strlen(name), kept = 0, count = 0;
    while (environ[count])
        count++;
    char **variables = malloc((count + 2) * sizeof *variables);
    for (unsigned i = 0; i < count; i++)
        if (strncmp(environ[i], name, n) != 0 || environ[i][n] != '=')
            variables[kept++] = environ[i];
    char *before = malloc(n + 2);
    memcpy(before, name, n);
    memcpy(before + n, "=", 2);
    /* Unset comes first. */
    if (__tine_choice(2, ""))
        variables[kept++] = text(before, name, most);
    variables[kept] = NULL;
    environ = variables;
}

static char **add_arguments(int *argc, char **argv, unsigned count, unsigned most) {
    static char names[][9] = {"argv[1]", "argv[2]", "argv[3]", "argv[4]", "argv[5]", "argv[6]", "argv[7]", "argv[8]",
                              "argv[9]"};
    char **arguments = malloc((*argc + count + 1) * sizeof *arguments);
    for (int i = 0; i < *argc; i++)
        arguments[i] = argv[i];
    unsigned more = __tine_choice(count + 1, "");
    for (unsigned i = 0; i < more; i++, ++*argc) {
        unsigned place = *argc - 1;
        arguments[*argc] = text("", place < sizeof names / sizeof *names ? names[place] : "argv", most);
    }
    arguments[*argc] = NULL;
    return arguments;
}

static const char *next_line(const char *line) {
    while (*line && *line != '\n')
        line++;
    return *line ? line + 1 : line;
}

int __tine_start(const char *wanted, main_function *main, int argc, char **argv, char **envp);

int __tine_start(const char *wanted, main_function *main, int argc, char **argv, char **envp) {
    unsigned may_fail = 0;
    (void)envp;
    for (const char *line = wanted; *line; line = next_line(line)) {
        const char *at = line;
        if (begins(&at, "stdin ")) {
            add_stdin(number(&at));
        } else if (begins(&at, "file ")) {
            unsigned capacity = number(&at);
            char *name = rest_of_line(at);
            add_file(name, name, capacity);
        } else if (begins(&at, "env ")) {
            unsigned most = number(&at);
            __tine_ask();
            add_variable(rest_of_line(at), most);
        } else if (begins(&at, "argv ")) {
            unsigned count = number(&at), most = number(&at);
            __tine_ask();
            argv = add_arguments(&argc, argv, count, most);
        } else if (begins(&at, "fail ")) {
            may_fail = number(&at);
            __tine_failing.kinds = number(&at);
        } else if (begins(&at, "time")) {
            __tine_files.wants |= WANT_TIME;
        } else if (begins(&at, "random")) {
            __tine_files.wants |= WANT_RANDOM;
        }
    }
    /* Allocations made here do not count. */
    __tine_failing.left = may_fail;
    return main(argc, argv, environ);
}
