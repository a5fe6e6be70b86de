/* Made by `tine export`. Support for the tests beside it. */
#ifndef TEST_SUPPORT_H
#define TEST_SUPPORT_H

#ifdef __cplusplus
extern "C" {
#endif

/* How a test ends. */
enum test_end { RETURNS, EXITS, FAILS, HANGS };

struct test {
    const char *name;
    void (*run)(void);
    enum test_end end;
    int code;
};

/* Runs all tests, each in a process of its own, or those that the arguments name. Returns the exit code of the program. */
int run_all_tests(const struct test *tests, unsigned n_tests, int argc, char **argv);

/* The exit code of a function in a process of its own: RETURNED if it returns, -1 if a signal ends it. */
#define RETURNED 99
int exit_code_of(void (*run)(void));

/* Text that was written to standard output since `output_begin`. */
void output_begin(void);
const char *output(void);

#ifdef __cplusplus
}
#endif

#endif
