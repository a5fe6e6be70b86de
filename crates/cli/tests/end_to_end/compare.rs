//! `tine compare` and `tine mutate`: equivalent pairs are proved, different ones distinguished, and mistakes explained.

use std::process::Command;

use crate::support::Bench;

fn bench(old: &str, new: &str) -> Bench {
    Bench::new(&[("old.c", old), ("new.c", new)])
}

/// Compares `f`. Returns the exit code and the only function of the report.
fn compared(bench: &Bench, options: &str) -> (Option<i32>, serde_json::Value) {
    let ran = bench.tine(&format!("compare old.c new.c --json --quiet --jobs 1 {options}"));
    let report: serde_json::Value =
        serde_json::from_str(&ran.stdout).unwrap_or_else(|why| panic!("{why}: {} {}", ran.stdout, ran.stderr));
    (ran.code, report["functions"][0].clone())
}

#[track_caller]
fn is_equivalent(old: &str, new: &str, options: &str, verdict: &str) {
    let (code, report) = compared(&bench(old, new), options);
    assert_eq!((code, report["verdict"].as_str()), (Some(0), Some(verdict)), "{report}");
}

/// Expects that the versions differ only in these observations.
#[track_caller]
fn differs(old: &str, new: &str, options: &str, observed: &[&str]) -> serde_json::Value {
    let (code, report) = compared(&bench(old, new), options);
    assert_eq!((code, report["verdict"].as_str()), (Some(1), Some("different")), "{report}");
    let found: Vec<&str> =
        report["differences"].as_array().into_iter().flatten().filter_map(|one| one["observed"].as_str()).collect();
    assert_eq!(found, observed, "{report}");
    report
}

#[test]
fn loops_and_closed_forms_are_equivalent() {
    let old = "int f(unsigned char n) { int s = 0; for (int i = 1; i <= (n & 15); i++) s += i; return s; }";
    let new = "int f(unsigned char n) { int k = n & 15; return k * (k + 1) / 2; }";
    is_equivalent(old, new, "--fn f", "equivalent");
    let old = "int f(int x) { if (x < 0) return (int)(0u - (unsigned)x); return x; }";
    let new = "int f(int x) { unsigned m = (unsigned)(x >> 31); return (int)(((unsigned)x ^ m) - m); }";
    is_equivalent(old, new, "--fn f", "equivalent");
}

const BUBBLE: &str = "void f(int a[3]) { for (int i = 0; i < 3; i++) for (int j = 0; j + 1 < 3 - i; j++) \
    if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; } }";
const INSERTION: &str = "void f(int a[3]) { for (int i = 1; i < 3; i++) { int k = a[i], j = i; \
    for (; j > 0 && a[j - 1] > k; j--) a[j] = a[j - 1]; a[j] = k; } }";

#[test]
fn algorithms_on_memory_are_compared() {
    is_equivalent(BUBBLE, INSERTION, "--fn f", "equivalent");
    let (code, report) = compared(&bench(BUBBLE, &INSERTION.replace("> k", ">= k + 1u")), "--fn f");
    let found = report["differences"].as_array().expect("differences");
    assert!(code == Some(1) && found.iter().all(|one| one["observed"] == "memory of the input"), "{report}");
    let list = "struct n { int v; struct n *next; }; ";
    let old = "struct n *f(struct n *l) { struct n *r = 0; while (l) { struct n *n = l->next; l->next = r; r = l; l = n; } return r; }";
    let new = "static struct n *go(struct n *l, struct n *r) { if (!l) return r; struct n *n = l->next; l->next = r; return go(n, l); } \
               struct n *f(struct n *l) { return go(l, 0); }";
    is_equivalent(
        &format!("{list}{old}"),
        &format!("{list}{new}"),
        "--fn f --max-objects 3",
        "equivalent within the bounds",
    );
}

#[test]
fn heaps_correspond_whatever_their_addresses_are() {
    let head = "#include <stdlib.h>\nstruct n { int v; struct n *next; };\n";
    let old = "struct n *f(int v) { struct n *a = malloc(sizeof *a); a->v = v; a->next = 0; return a; }";
    let new = "struct n *f(int v) { free(malloc(100)); struct n *a = calloc(1, sizeof *a); a->v = v; return a; }";
    let (old, new) = (format!("{head}{old}"), format!("{head}{new}"));
    is_equivalent(&old, &new, "--fn f", "equivalent");
    let circle = new.replace("return a;", "if (v == 77) a->next = a; return a;");
    differs(&old, &circle, "--fn f", &["memory that the function made"]);
}

#[test]
fn one_input_of_all_is_found() {
    let old = "unsigned f(unsigned x) { return x * 2; }";
    let new = "unsigned f(unsigned x) { if (x == 0xdeadbeef) return 5; return x + x; }";
    let report = differs(old, new, "--fn f", &["result"]);
    assert_eq!(report["differences"][0]["input"], "x = 3735928559");
    assert_eq!(report["differences"][0]["values"], "old 3176889822, new 5");
}

#[test]
fn every_kind_of_observation_counts() {
    let differ = |old: &str, new: &str, observed: &str| drop(differs(old, new, "--fn f", &[observed]));
    differ(
        "int f(int x, int y) { return x / (y | 1); }",
        "int f(int x, int y) { return y ? x / (y | 1) : 1 / y; }",
        "end",
    );
    // Different paths lead to different statements.
    let both = |one: &str, two: &str| {
        format!("int f(int x, int n) {{ if (x > 100) return {one}; if (n == 5) return {two}; return 0; }}")
    };
    differs(&both("1", "2"), &both("3", "4"), "--fn f", &["result", "result"]);
    let global = |n: &str| format!("static int n; void f(int x) {{ if (x == 3) n += {n}; }}");
    differ(&global("1"), &global("2"), "global variable n");
    let exit = |n: &str| format!("#include <stdlib.h>\nvoid f(int x) {{ if (x == 5) exit({n}); }}");
    differ(&exit("3"), &exit("4"), "end");
    is_equivalent(&exit("3"), &exit("3"), "--fn f", "equivalent");
    // A status that depends on the input without a branch.
    let computed = |status: &str| format!("#include <stdlib.h>\nvoid f(int x) {{ exit({status}); }}");
    differ(&computed("x & 1"), &computed("(x & 1) + 2 * (x == 31337)"), "end");
    is_equivalent(&computed("x & 1"), &computed("x % 2 != 0"), "--fn f", "equivalent");
    let print = |text: &str| format!("#include <stdio.h>\nvoid f(int x) {{ if (x == 5) puts(\"{text}\"); }}");
    differ(&print("one"), &print("two"), "output");
    let name = |text: &str| format!("const char *f(int x) {{ return x == 9 ? \"{text}\" : \"other\"; }}");
    differ(&name("nine"), &name("ten"), "result");
    // Pointers that depend on the input without a branch are decided one by one. Cases that the solver cannot decide
    // are reported.
    let (code, report) = compared(&bench(&name("nine"), &name("nine")), "--fn f");
    assert!(code == Some(0) && report["verdict"] != "different", "{report}");
    // Both versions have the same error for the same inputs.
    let divide = "int f(int x) { return 10 / x; }";
    is_equivalent(divide, divide, "--fn f", "equivalent");
}

/// Both write the keys and colours of the tree in order: root, left, right.
const TREE: &str = "\
struct n { struct n *l, *r; int key; _Bool red; };
static _Bool red(const struct n *t) { return t && t->red; }
static struct n *add(struct n *t, struct n *z);
static int list(const struct n *t, int *keys, _Bool *reds, int k) {
    if (!t) return k;
    keys[k] = t->key; reds[k] = t->red;
    return list(t->r, keys, reds, list(t->l, keys, reds, k + 1));
}
void f(int keys[4], _Bool reds[4]) {
    struct n pool[4], *root = 0;
    for (int i = 0; i < 4; i++) {
        pool[i] = (struct n){0, 0, keys[i], 1};
        root = add(root, &pool[i]);
        root->red = 0;
    }
    list(root, keys, reds, 0);
}
";
const RECURSIVE: &str = "\
static struct n *left(struct n *t) { struct n *r = t->r; t->r = r->l; r->l = t; return r; }
static struct n *right(struct n *t) { struct n *l = t->l; t->l = l->r; l->r = t; return l; }
static struct n *top(struct n *t, struct n *old) { t->red = 0; old->red = 1; return t; }
static struct n *add(struct n *t, struct n *z) {
    if (!t) return z;
    if (z->key < t->key) t->l = add(t->l, z); else t->r = add(t->r, z);
    struct n *l = t->l, *r = t->r;
    _Bool in_left = red(l) && (red(l->l) || red(l->r)), in_right = red(r) && (red(r->l) || red(r->r));
    if ((in_left || in_right) && red(l) && red(r)) { l->red = r->red = 0; t->red = 1; return t; }
    if (in_left) { if (red(l->r)) t->l = left(l); return top(right(t), t); }
    if (in_right) { if (red(r->l)) t->r = right(r); return top(left(t), t); }
    return t;
}
";
const ITERATIVE: &str = "\
static struct n *add(struct n *root, struct n *z) {
    struct n **stack[8], **at = &root;
    int d = 0;
    while (*at) { stack[d++] = at; at = z->key < (*at)->key ? &(*at)->l : &(*at)->r; }
    *at = z;
    while (d >= 2 && (*stack[d - 1])->red) {
        struct n **link = stack[d - 2], *g = *link, *p = *stack[d - 1], *x = *at;
        struct n *uncle = g->l == p ? g->r : g->l;
        if (red(uncle)) { p->red = uncle->red = 0; g->red = 1; at = link; d -= 2; continue; }
        if (g->l == p) {
            if (p->r == x) { p->r = x->l; x->l = p; p = x; }
            g->l = p->r; p->r = g;
        } else {
            if (p->l == x) { p->l = x->r; x->r = p; p = x; }
            g->r = p->l; p->l = g;
        }
        p->red = 0; g->red = 1; *link = p;
        break;
    }
    return root;
}
";

#[test]
fn two_red_black_trees_are_equivalent() {
    let (recursive, iterative) = (format!("{TREE}{RECURSIVE}"), format!("{TREE}{ITERATIVE}"));
    is_equivalent(&recursive, &iterative, "--fn f", "equivalent");
    let wrong = iterative.replace("p->red = uncle->red = 0;", "p->red = 0;");
    let (code, report) = compared(&bench(&recursive, &wrong), "--fn f");
    assert!(code == Some(1) && report["verdict"] == "different", "{report}");
}

/// Only the initial values of variables are tried, unless they are inputs.
#[test]
fn initial_values_are_a_bound() {
    let file = |k: &str| {
        format!(
            "static int state; static const int table[2] = {{1, 2}}; static int never[2] = {{3, 4}};\n\
             void set(int x) {{ state = x; }}\n\
             int f(int x) {{ static int calls; if (state) return x ^ {k}; calls++; return table[x & 1]; }}\n\
             int g(int x) {{ return table[x & 1] + never[x & 1]; }}"
        )
    };
    is_equivalent(&file("1"), &file("2"), "--fn f", "equivalent within the bounds");
    is_equivalent(&file("1"), &file("2"), "--fn g", "equivalent");
    let (_, report) = compared(&bench(&file("1"), &file("2")), "--fn f");
    assert_eq!(report["initial_values"], serde_json::json!(["f.calls", "state"]), "{report}");
    differs(&file("1"), &file("2"), "--fn f --globals state", &["result"]);
}

/// Functions that print do not make others of their file undecided.
#[test]
fn output_belongs_to_the_functions_that_print() {
    let file = |product: &str| {
        format!(
            "#include <stdio.h>\nint f(unsigned a, unsigned b) {{ return (int)({product}); }}\n\
             void say(int x) {{ printf(\"%d\", x); }}"
        )
    };
    is_equivalent(&file("a * b"), &file("b * a"), "--fn f", "equivalent");
    let (_, report) = compared(&bench(&file("a * b"), &file("a * b")), "--fn say");
    assert_eq!(report["verdict"], "undecided", "{report}");
}

#[test]
fn functions_of_one_version_are_named() {
    let bench = bench(
        "int f(int x) { return x; } int gone(void) { return 1; }",
        "int f(int x) { return x; } int more(void) { return 1; }",
    );
    let ran = bench.tine("compare old.c new.c --jobs 1");
    assert!(ran.stdout.contains("`gone`: only in the old version\n`more`: only in the new version\n"), "{ran}");
}

#[test]
fn intended_differences_are_left_out() {
    let old = "int f(int x) { return x; }";
    let new = "int f(int x) { return x == 7 ? 8 : x; } int seven(int x) { return x == 7; }";
    differs(old, new, "--fn f", &["result"]);
    is_equivalent(old, new, "--fn f --except seven", "equivalent");
}

#[test]
fn both_versions_are_shown_side_by_side() {
    let bench = bench("int f(int x) { return x; }", "int f(int x) { return x == 7 ? 8 : x; }");
    assert_eq!(bench.tine("compare old.c new.c --fn f --out s --jobs 1").code, Some(1));
    let report = bench.tine("show s 2").stdout;
    assert_eq!(report, "x = 7\nresult: old 7, new 8\n");
    let replayed = bench.tine("replay s 2");
    assert!(replayed.stdout.contains("recorded: difference") && replayed.stdout.contains("result: old 7, new 8"));
    assert!(replayed.stderr.contains("result: old 7, new 8"), "the native run differs, too: {}", replayed.stderr);
}

#[test]
fn mistakes_are_explained() {
    let same = "int f(int x) { return x; }";
    bench(same, "int f(long x) { return x; }").fails(
        "compare old.c new.c --fn f",
        2,
        &["different signatures", "int f(int x)", "int f(long"],
    );
    bench(same, "int f(int x) { return }").fails("compare old.c new.c --fn f", 3, &["does not compile"]);
    bench(same, same).fails("compare old.c new.c --fn g", 2, &["there is no function `g`"]);
    bench(same, same).fails("compare old.c", 2, &["the new version is missing"]);
    bench(same, same).fails("compare --rev HEAD new.c", 2, &["not in a git checkout"]);
}

fn git(bench: &Bench, arguments: &str) {
    let mut command = Command::new("git");
    command.current_dir(bench.path(".")).env("HOME", bench.home()).args(["-c", "user.name=a", "-c", "user.email=a@b"]);
    let output = command.args(arguments.split(' ')).output().expect("git");
    assert!(output.status.success(), "git {arguments}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn revisions_come_from_git() {
    let bench = Bench::new(&[("f.c", "#include \"k.h\"\nint f(int x) { return x + K; }"), ("k.h", "#define K 1\n")]);
    for arguments in ["init -q", "add f.c k.h", "commit -q -m one", "tag v1"] {
        git(&bench, arguments);
    }
    bench.write("k.h", "#define K (3 - 2)\n");
    git(&bench, "commit -q -a -m two");
    let ran = bench.tine("compare --rev v1..HEAD f.c --fn f --jobs 1");
    assert!(ran.code == Some(0) && ran.stdout.contains("`f`: equivalent\n"), "{} {}", ran.stdout, ran.stderr);
    // Directories for includes are those of each revision, too.
    std::fs::create_dir(bench.path("inc")).expect("a directory");
    bench.write("inc/z.h", "#define Z 1\n");
    bench.write("z.c", "#include \"z.h\"\nint f(int x) { return x + Z; }");
    git(&bench, "add inc/z.h z.c");
    git(&bench, "commit -q -m three");
    bench.write("inc/z.h", "#define Z 2\n");
    git(&bench, "commit -q -a -m four");
    let absolute = format!("-I{}", bench.path("inc").display());
    for (range, flags) in [("HEAD~1..HEAD", "-Iinc"), ("HEAD~1...HEAD", &*absolute), ("HEAD~1", "'-iquote inc'")] {
        let ran = bench.tine(&format!("compare --rev {range} z.c --fn f --jobs 1 --cflags={flags}"));
        assert!(ran.code == Some(1) && ran.stdout.contains("result: old 1, new 2"), "{range} {flags}: {ran}");
    }
    bench.write("k.h", "#define K 2\n");
    let ran = bench.tine("compare --rev HEAD f.c --jobs 1");
    assert!(ran.code == Some(1) && ran.stdout.contains("result: old 1, new 2"), "{} {}", ran.stdout, ran.stderr);
    bench.fails("compare --rev v2..HEAD f.c --fn f", 2, &["git knows no revision `v2`"]);
    bench.write("g.c", "int g(void) { return 1; }");
    bench.fails("compare --rev HEAD g.c", 2, &["revision `HEAD` has no file g.c"]);
}

#[test]
fn mutants_are_killed_or_equivalent() {
    let bench = Bench::new(&[("abs.c", "int f(int x) { return x < 0 ? -x : x; }")]);
    let ran = bench.tine("mutate abs.c --fn f --json --quiet");
    let report: serde_json::Value =
        serde_json::from_str(&ran.stdout).unwrap_or_else(|why| panic!("{why}: {}", ran.stderr));
    let fates: Vec<(&str, &str)> = report["mutants"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| one["change"].as_str().zip(one["fate"].as_str()))
        .collect();
    let expected = [
        ("`0` → `0 + 1`", "equivalent"),
        ("`0` → `0 - 1`", "killed"),
        ("`<` → `<=`", "equivalent"),
        ("`<` → `>=`", "killed"),
        ("`-` deleted", "killed"),
    ];
    // `x < 1` is equivalent here: 0 is its own negation.
    assert_eq!(fates, expected, "{report}");
    // A suite with a case on each side of the branch kills `<` → `>=` and `1` → `1 + 1`.
    bench.write("limit.c", "int f(int x) { if (x < 10) return 1; return 2; }");
    assert_eq!(bench.tine("test limit.c --fn f --out suite --jobs 1").code, Some(0));
    let ran = bench.tine("mutate limit.c --fn f --suite suite --json --quiet --only 4,5 --out mutants");
    let report: serde_json::Value =
        serde_json::from_str(&ran.stdout).unwrap_or_else(|why| panic!("{why}: {}", ran.stderr));
    assert_eq!((&report["killed"], &report["equivalent"]), (&2.into(), &0.into()), "{report}");
    bench.fails("mutate limit.c --fn f --only 99", 2, &["there is no mutant 99", "1 to "]);
    bench.write("limit.c", "int f(int x) { if (x < 10) return 1; return 2; } int g(int x) { return x + 1; }");
    bench.fails("mutate limit.c --fn g --suite suite", 2, &["is about `f`, not about `g`"]);
}

/// Arguments of the compiler's own functions may have to be constants, and a deleted call is one mutant.
#[test]
fn places_that_cannot_change_are_left_out() {
    let unit = "static int n; static int g(int x) { return n = x; }\n\
                int f(int x) { __builtin_prefetch(&n, 0, 3); g(x); return n; }";
    let bench = Bench::new(&[("unit.c", unit)]);
    let ran = bench.tine("mutate unit.c --fn f --json --quiet --max-runs 5");
    let changes: Vec<String> = ran.json()["mutants"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| one["change"].as_str().map(str::to_owned))
        .collect();
    assert_eq!(changes.iter().filter(|change| change.contains("g(x)")).count(), 1, "{ran}");
}
