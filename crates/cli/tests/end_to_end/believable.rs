//! Reports about functions say each thing once, and count what belongs to the function.

use crate::support::{Bench, errors};

#[test]
fn coverage_is_that_of_the_function_and_its_callees() {
    const UNIT: &str = "static int half(int x) { if (x & 1) return 0; return x / 2; }\n\
        static int twice(int x) { return x < 100 ? 2 * x : 0; }\n\
        int (*const table[])(int) = { half, twice };\n\
        int is_small(int x, int k) { if (x < 8 && k < 8) return 1; return 0; }\n\
        int other(int x) { if (x == 3) return 1; return 0; }\n\
        int f(int x, int k) { return k == 1 ? half(x) : k; }\n\
        int g(int x, int k) { return table[k & 1](x); }\n";
    let bench = Bench::new(&[("unit.c", UNIT)]);
    let ran = bench.tine("test unit.c --fn f --requires is_small --min-coverage 100 --json --out f");
    assert_eq!(ran.code, Some(0), "{ran}");
    let summary = ran.json();
    let functions = |summary: &serde_json::Value| -> Vec<String> {
        let all = summary["functions"].as_array().into_iter().flatten();
        all.map(|known| known["function"].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!((summary["branches_total"].as_u64(), summary["branches_covered"].as_u64()), (Some(4), Some(4)), "{ran}");
    assert_eq!(functions(&summary), ["f", "half"], "{ran}");
    // Functions in a table are called through it.
    let ran = bench.tine("test unit.c --fn g --json --out g");
    assert_eq!(functions(&ran.json()), ["g", "half", "twice"], "{ran}");
    // The table of all functions has the callees of each, too.
    let ran = bench.tine("test unit.c --out all");
    let row = |name: &str| ran.stdout.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
    assert!(row("f ").contains(" 4 ") && row("f ").contains("100.0 %"), "{ran}");
    assert!(row("other ").contains(" 2 "), "{ran}");
}

#[test]
fn errors_with_one_cause_are_one_entry() {
    const UNIT: &str = "struct s { char *name; struct s *link; };\n\
        int named(struct s *s) { return s->name != 0; }\n\
        static const int t[4] = { 1, 2, 3, 4 };\n\
        int many(struct s *s, int k, int i) {\n\
        if (k == 1) return s->name[0];\n\
        if (k == 2) return s->name[1];\n\
        if (k == 3) return t[i];\n\
        if (k == 4) return t[i] + 1;\n\
        return 0;\n}\n";
    let bench = Bench::new(&[("unit.c", UNIT)]);
    let ran = bench.tine("test unit.c --fn many");
    let entries = ran.stdout.lines().filter(|line| line.starts_with("error: ")).count();
    assert_eq!(entries, 2, "{ran}");
    assert!(ran.stdout.contains("2 errors at 4 places"), "{ran}");
    assert!(ran.stdout.contains("`s->name` is NULL") && ran.stdout.contains("= also at "), "{ran}");
    // In JSON each place stays an error of its own.
    let ran = bench.tine("test unit.c --fn many --json --out json");
    assert_eq!(errors(&ran.json()).len(), 4, "{ran}");
}

#[test]
fn the_harness_has_no_warnings() {
    let bench = Bench::new(&[("unit.c", "int f(int x) {\n    return x > 3;\n}\n")]);
    for flags in
        ["-ansi -Werror -pedantic", "-std=c89 -pedantic-errors", "-Weverything -Werror -Wno-missing-prototypes"]
    {
        let ran = bench.tine(&format!("test unit.c --fn f --cflags '{flags}'"));
        assert_eq!(ran.code, Some(0), "{flags}: {ran}");
        assert!(!ran.stderr.contains("warning"), "{flags}: {ran}");
    }
}

#[test]
fn constructors_of_other_files_make_objects() {
    const HEADER: &str = "struct thing;\nstruct thing *thing_new(int n);\nint thing_size(const struct thing *t);\n";
    const THING: &str = "#include \"thing.h\"\n#include <stdlib.h>\nstruct thing { int n; };\n\
        struct thing *thing_new(int n) {\n    if (n < 1)\n        return NULL;\n    \
        struct thing *t = malloc(sizeof *t);\n    if (t)\n        t->n = n;\n    return t;\n}\n\
        int thing_size(const struct thing *t) { return t->n; }\n";
    const USER: &str = "#include \"thing.h\"\nint use(struct thing *t, int by) {\n    if (thing_size(t) == 7 && by == 3)\n        \
        return by / (by - 3);\n    return by / thing_size(t);\n}\n";
    let bench = Bench::new(&[("thing.h", HEADER), ("thing.c", THING), ("user.c", USER)]);
    let ran = bench.tine("test user.c thing.c --fn use --make calls --json --out made");
    assert_eq!(errors(&ran.json()), [("division by zero".to_owned(), 4)], "{ran}");
    assert!(ran.json()["errors"][0]["input"].as_str().is_some_and(|input| input.contains("thing_new(")), "{ran}");
}

#[test]
fn written_requirements_of_lists_hold_for_some_inputs() {
    const UNIT: &str = "struct node { struct node *next; int v; };\nstruct w { struct node *head; int k; };\n\
        int f(struct w *w) {\n    int s = 0;\n    for (struct node *x = w->head; x; x = x->next)\n        s ^= x->v;\n    \
        return s == 9 && w->k == 3 ? 1 / (s - 9) : s;\n}\n";
    let bench = Bench::new(&[("unit.c", UNIT)]);
    let ran = bench.tine("test unit.c --fn f --max-objects 3 --write-requires requires.c --json --out first");
    assert_eq!(errors(&ran.json()), [("division by zero".to_owned(), 7)], "{ran}");
    let ran = bench.tine("test requires.c --fn f --requires f_requires --max-objects 3 --json --out second");
    assert_eq!(errors(&ran.json()), [("division by zero".to_owned(), 7)], "{ran}");
    assert!(ran.json()["requirements"].is_null(), "{ran}");
}

#[test]
fn predicates_may_be_in_another_file() {
    const HEADER: &str = "struct s { int n; };\nint ok(const struct s *s);\n";
    const UNIT: &str = "#include \"s.h\"\nvoid init(struct s *s) { s->n = 1; }\nvoid twice(struct s *s) { s->n *= 2; }\n\
        int share(struct s *s) { return 8 / s->n; }\n";
    const OK: &str = "#include \"s.h\"\nint ok(const struct s *s) { return s && s->n > 0 && s->n < 4; }\n";
    let bench = Bench::new(&[("s.h", HEADER), ("unit.c", UNIT), ("ok.c", OK)]);
    let ran = bench.tine("test unit.c ok.c --fn share --requires ok --json --out test");
    assert_eq!((ran.code, errors(&ran.json())), (Some(0), vec![]), "{ran}");
    let ran = bench.tine("sequence unit.c ok.c --calls init,twice* --max-calls 4 --ensures ok --json --out sequence");
    assert_eq!(errors(&ran.json()), [("postcondition failure".to_owned(), 3)], "{ran}");
    bench.fails("test unit.c --fn share --requires okay", 2, &["no predicate `okay`", "give the file that defines it"]);
}
