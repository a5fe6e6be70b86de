//! Exported tests of units with unusual types, names and outputs: they compile without warnings and pass.

use std::fs;
use std::process::Command;

use crate::support::Bench;

/// Explores, exports, builds and runs. Returns the text of the tests.
fn exported(unit: &str, explore: &str, format: &str, name: &str) -> String {
    let bench = Bench::new(&[("unit.c", unit)]);
    let explored = bench.tine(&format!("{explore} --quiet --out out"));
    assert!(explored.code.is_some_and(|code| code <= 1), "{}", explored.stderr);
    let exported = bench.tine(&format!("export out --format {format} --out suite"));
    assert_eq!(exported.code, Some(0), "{}{}", exported.stdout, exported.stderr);
    assert!(!exported.stdout.contains("left out"), "{}", exported.stdout);
    for compilers in [["CC=gcc", "CXX=g++"], ["CC=clang-22", "CXX=clang++-22"]] {
        let mut command = Command::new("make");
        command.args(["-s", "-C"]).arg(bench.path("suite")).args(compilers).args(["check", "check-errors"]);
        let output = command.output().expect("make runs");
        let messages = [output.stdout, output.stderr].concat();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&messages));
        let cleaned = Command::new("make").args(["-s", "-C"]).arg(bench.path("suite")).arg("clean").status();
        assert!(cleaned.is_ok_and(|status| status.success()));
    }
    fs::read_to_string(bench.path(&format!("suite/test_{name}.c"))).expect("the tests")
}

const TYPES: &str = "\
#include <stdint.h>
#include <stdbool.h>
#include <math.h>
typedef struct { int8_t tiny; uint16_t port; int64_t stamp; } limits;
struct inner { int cell[2]; struct { char tag[4]; int *link; } deep; };
struct all {
    unsigned ready : 1, mode : 3;
    int level : 5;
    union { struct { int w, h; }; double area; };
    struct inner in[2];
    const int fixed;
    volatile unsigned status;
    bool on[3];
    long double wide;
    unsigned __int128 huge;
    limits limits;
    int (*call)(int);
};
int f(struct all *a, float ratio) {
    if (!a)
        return -1;
    if (isnan(ratio))
        return 8;
    if (a->ready && a->mode == 5 && a->level == -3)
        return 1;
    if (a->in[1].deep.link && *a->in[1].deep.link == 4)
        return 2;
    if (a->in[0].deep.tag[0] == 'h' && a->in[0].deep.tag[1] == 'i') {
        a->in[1].cell[1] = 9;
        a->wide = 1.5L;
        return 3;
    }
    if (a->fixed == 7 && a->status & 0x80)
        return 4;
    if (a->on[1] && a->huge == ((unsigned __int128)1 << 100))
        return 5;
    if (a->limits.tiny == INT8_MIN && a->limits.port == UINT16_MAX && a->limits.stamp == INT64_MAX)
        return 6;
    if (a->call && a->call(3) == 4)
        return 7;
    return 9;
}
";

#[test]
fn members_of_all_types() {
    let text = exported(TYPES, "test unit.c --fn f --max-runs 200", "c", "f");
    for expected in [
        ".in = { [1] = {",
        "assert(a.wide == 0x3p-1L);",
        ".tiny = INT8_MIN, .port = UINT16_MAX, .stamp = INT64_MAX",
        ".mode = 5, .level = -3",
        "f(&a, NAN)",
        "`a->in[0].deep.tag[1] == 'i'`",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

const NAMES: &str = "\
#include <stdio.h>
struct test { int n; };
static int output, tests;
static int exit_code_of(int x) { return x + 1; }
int f(struct test *test, int limit, char *text) {
    if (test && test->n == exit_code_of(2))
        output++;
    if (limit > 1000)
        printf(\"large\\n\");
    if (text && limit == 5)
        __builtin_strcpy(text, \"five\");
    return tests;
}
#define limit 7
#define n number
#define f(a, b) f(a, b, 0)
";

/// Names of the support files, of macros and of the tested function's own macro; a buffer that is longer than its text.
#[test]
fn names_that_clash() {
    for format in ["c", "gtest"] {
        let text = exported(NAMES, "test unit.c --fn f", format, "f");
        for expected in
            ["(f)(&test, 0, NULL)", ".n = 3", "output == 1", "output_of_suite()", "strcmp(text, \"five\") == 0"]
        {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
    }
}

const SET: &str = "\
struct set { int n; int items[3]; };
void set_init(struct set *s) { s->n = 0; }
int set_add(struct set *s, int x) {
    for (int i = 0; i < s->n; i++)
        if (s->items[i] == x)
            return 0;
    if (s->n == 3)
        return -1;
    s->items[s->n++] = x;
    return 1;
}
void set_del(struct set *s, int x) {
    for (int i = 0; i < s->n; i++)
        if (s->items[i] == x)
            s->items[i] = s->items[s->n--];
}
";

const LIST: &str = "\
#include <stdlib.h>
struct node { int v; struct node *next; };
struct list { struct node *first; int n; };
struct list *list_new(void) { return calloc(1, sizeof(struct list)); }
struct node *list_push(struct list *list, int v) {
    struct node *made = malloc(sizeof *made);
    if (made) {
        *made = (struct node){ v, list->first };
        list->first = made;
        list->n++;
    }
    return made;
}
int list_move(struct list *list, struct node *node, const char *name) {
    if (!node || list->first == node)
        return 0;
    if (name && name[0] == 'x')
        return node->v > 3 ? 5 : 4;
    return 1;
}
void list_free(struct list *list) {
    while (list->first) {
        struct node *next = list->first->next;
        free(list->first);
        list->first = next;
    }
    free(list);
}
";

/// A sequence is a sequence of calls: on an object of the test, or on one that the unit makes.
#[test]
fn sequences_of_calls() {
    let calls = "sequence unit.c --calls set_init,set_add*,set_del* --max-calls 5 --max-runs 400";
    let text = exported(SET, calls, "c", "set");
    for expected in [
        "    struct set s = { 0 };\n",
        "    set_init(&s);\n    int add_result = set_add(&s, 0);\n",
        "assert(add_result == 1);",
        "assert(s.n == 1);",
        "static void test_init_add",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    let calls = "sequence unit.c --calls list_new,list_push*,list_move?,list_free? --max-calls 5 --max-runs 400";
    for format in ["c", "gtest"] {
        let text = exported(LIST, calls, format, "list");
        for expected in [
            "    struct list *list = list_new();\n",
            "struct node *push_result = list_push(list, ",
            "list_move(list, push_result, NULL)",
            "list_free(list);",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
    }
}

const BITS: &str = "\
#include <complex.h>
#define F_A 1
#define F_C (1u << 2)
struct device { unsigned mask; __int128 wide; };
int f(unsigned flags, const struct device *device, double complex z) {
    if (device && device->mask & 0x8000)
        return 2;
    if ((flags & F_A) && (flags & F_C))
        return 1;
    if (device && device->wide == -((__int128)1 << 100))
        return 3;
    return creal(z) > 2 && cimag(z) < 0 ? 4 : 0;
}
double complex g(double complex z) { return cimag(z) < 0 ? conj(z) : z; }
";

#[test]
fn bits_flags_and_numbers_of_unusual_types() {
    let text = exported(BITS, "test unit.c --fn f --max-runs 300", "c", "f");
    for expected in [".mask = 0x8000", "f(F_A | F_C, ", "(__int128)((unsigned __int128)", "__builtin_complex("] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    let text = exported(BITS, "test unit.c --fn g", "c", "g");
    assert!(text.contains("assert(__imag__ result == "), "{text}");
}

/// The first file only declares the structure.
#[test]
fn structures_that_another_file_defines() {
    let first = "struct node;\nint value(const struct node *node);\n\
                 int f(struct node *node) { return node && value(node) > 5; }\n";
    let second = "#include <stdint.h>\ntypedef uint16_t number;\nenum color { RED, BLUE };\n\
                  struct node { number v; enum color color; struct { int x : 3; char *s; } inner; struct node *next; };\n\
                  int value(const struct node *node) { return node->color == BLUE ? node->v : node->inner.x; }\n";
    let bench = Bench::new(&[("a.c", first), ("b.c", second)]);
    assert_eq!(bench.tine("test a.c b.c --fn f --quiet --out out").code, Some(0));
    let exported = bench.tine("export out --format c --out suite --verify");
    assert_eq!(exported.code, Some(0), "{}{}", exported.stdout, exported.stderr);
    assert!(!exported.stdout.contains("left out") && !exported.stdout.contains(" 0 tests"), "{}", exported.stdout);
    let text = fs::read_to_string(bench.path("suite/test_f.c")).expect("the tests");
    assert!(text.contains("struct node node = {"), "{text}");
}
