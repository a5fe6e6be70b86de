/* Made by `tine export`. Support for the tests beside it. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds after which a test counts as an endless loop. */
#define LIMIT 10

/* Sanitizers show every kind of error but leaks: a test need not free what the function returns. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=1";
}

/* Writes what gcov has counted; `_exit` does not. */
void __gcov_dump(void) __attribute__((weak));

static int saved = -1;
static FILE *captured;

/* A file that is removed when it is closed. Unlike `tmpfile`, it respects TMPDIR. */
static FILE *temporary(void) {
    const char *folder = getenv("TMPDIR");
    char path[4096];
    if (snprintf(path, sizeof path, "%s/test-XXXXXX", folder ? folder : "/tmp") >= (int)sizeof path)
        return NULL;
    int file = mkstemp(path);
    if (file < 0)
        return NULL;
    unlink(path);
    return fdopen(file, "w+");
}

void output_begin(void) {
    fflush(stdout);
    captured = temporary();
    saved = dup(1);
    if (!captured || saved < 0 || dup2(fileno(captured), 1) < 0)
        abort();
}

const char *output(void) {
    static char text[4096];
    if (captured) {
        fflush(stdout);
        dup2(saved, 1);
        close(saved);
        rewind(captured);
        text[fread(text, 1, sizeof text - 1, captured)] = 0;
        fclose(captured);
        captured = NULL;
    }
    return text;
}

/* The wait status of a function in a process of its own. Only a function that returns ends with `returned`. */
static int status_of(void (*run)(void), unsigned limit, int returned, int quiet) {
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        abort();
    if (child == 0) {
        if (quiet && !freopen("/dev/null", "w", stderr))
            abort();
        alarm(limit);
        run();
        fflush(NULL);
        if (__gcov_dump)
            __gcov_dump();
        _exit(returned);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child)
        abort();
    return status;
}

int exit_code_of(void (*run)(void)) {
    int status = status_of(run, LIMIT, RETURNED, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int is_as_expected(const struct test *test) {
    int quiet = test->end == FAILS || test->end == HANGS;
    int status = status_of(test->run, test->end == HANGS ? 2 : LIMIT, test->end == RETURNS ? 0 : 99, quiet);
    switch (test->end) {
    case RETURNS:
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    case EXITS:
        return WIFEXITED(status) && WEXITSTATUS(status) == test->code;
    case FAILS:
        return WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 99);
    default:
        return WIFSIGNALED(status);
    }
}

int run_all_tests(const struct test *tests, unsigned n_tests, int argc, char **argv) {
    unsigned n_run = 0, n_failed = 0;
    for (unsigned k = 0; k < n_tests; k++) {
        int wanted = argc < 2;
        for (int a = 1; a < argc; a++)
            wanted |= strcmp(argv[a], tests[k].name) == 0;
        if (!wanted)
            continue;
        n_run++;
        if (!is_as_expected(&tests[k])) {
            n_failed++;
            printf("FAILED %s%s\n", tests[k].name, tests[k].end == FAILS ? ": it does not show its error any more" : "");
        }
    }
    printf("%u tests, %u failed\n", n_run, n_failed);
    return n_failed > 0 || (n_run == 0 && argc > 1);
}
