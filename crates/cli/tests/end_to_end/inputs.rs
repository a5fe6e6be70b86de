//! Inputs of functions: lengths, types, globals, stubs, predicates; and all functions of a file.

use serde_json::Value;

use crate::support::{Bench, Ran};

const USAGE: i32 = 2;

fn explore(unit: &str, flags: &str) -> (Bench, Value) {
    let bench = Bench::new(&[("unit.c", unit)]);
    let ran = bench.tine(&format!("test unit.c --json --out out {flags}"));
    let json = ran.json();
    (bench, json)
}

/// Kind, line and input of each error.
fn errors(json: &Value) -> Vec<(String, u64, String)> {
    let error = |error: &Value| {
        let text = |key: &str| error[key].as_str().unwrap_or_default().to_owned();
        (text("kind"), error["line"].as_u64().unwrap_or_default(), text("input"))
    };
    json["errors"].as_array().expect("errors").iter().map(error).collect()
}

#[track_caller]
fn only_error(json: &Value, kind: &str, line: u64, input: &str) {
    assert_eq!(errors(json), [(kind.to_owned(), line, input.to_owned())], "{json:#}");
}

const LIST: &str = "\
#include <stdlib.h>
struct cell { int v; struct cell *next; };
int f(int x) { return x < 1000 ? 2 * x + 1 : x; }
int testme(struct cell *p, int x) {
    if (x > 0 && p && f(x) == p->v && p->next == p)
        abort();
    return 0;
}
unsigned sum(struct cell *p) {
    unsigned n = 0;
    for (; p; p = p->next)
        n += p->v & 7;
    return n;
}
";

#[test]
fn a_list_whose_next_is_itself() {
    let (bench, json) = explore(LIST, "--fn testme");
    let found = errors(&json);
    assert_eq!((found[0].0.as_str(), found[0].1, found.len()), ("abort", 6, 1), "{json:#}");
    assert!(found[0].2.contains("p->next = p, x = "), "{}", found[0].2);
    assert_eq!(json["verdict"], "complete");
    assert!(json["errors"][0]["case"].as_u64() <= Some(6), "{json:#}");
    let case = json["errors"][0]["case"].as_u64().expect("a case");
    let ran = bench.tine(&format!("replay out {case}"));
    assert!(ran.stdout.contains("p->next = p") && ran.stdout.contains("ended by signal 6"), "{ran}");
}

/// Every list up to the bound, with every possible cycle.
#[test]
fn lists_of_all_lengths() {
    let (_, json) = explore(LIST, "--fn sum --strict --max-objects 3 --run-timeout 400ms");
    assert_eq!((&json["verdict"], &json["divergences"]), (&"bounded".into(), &0.into()), "{json:#}");
    // 4 lists that end, and 1 + 2 + 3 with a cycle.
    assert_eq!(json["paths"], 10, "{json:#}");
    assert_eq!(errors(&json).len(), 1, "{json:#}");
    let bounds: Vec<&str> =
        json["reasons"].as_array().expect("reasons").iter().filter_map(|r| r["what"].as_str()).collect();
    assert!(bounds.contains(&"bound reached: --max-objects"), "{bounds:?}");
}

#[test]
fn lazy_inputs_take_the_same_paths() {
    for function in ["testme", "sum"] {
        let flags = format!("--fn {function} --max-objects 3 --run-timeout 400ms");
        let (_, eager) = explore(LIST, &flags);
        let (_, lazy) = explore(LIST, &format!("{flags} --lazy"));
        for key in ["paths", "branches_covered", "verdict"] {
            assert_eq!(eager[key], lazy[key], "{function}: {key}");
        }
    }
    let unit = "struct s { int a, b; };\nint f(struct s *p) { if (p) return 1 / p->a; return 0; }\n";
    only_error(&explore(unit, "--fn f").1, "division by zero", 2, "p->a = 0, p->b = 0");
    only_error(&explore(unit, "--fn f --lazy").1, "division by zero", 2, "p->a = 0");
}

#[test]
fn primitives_start_from_the_seed() {
    let unit =
        "struct s { int a; struct s *next; };\nint f(struct s *p) { if (p) return p->next ? p->a : 2; return 0; }\n";
    let inputs = |flags: &str| explore(unit, flags).0.tine("show out").stdout;
    assert!(inputs("--fn f --keep-all --seed 7").contains("p->a = "), "there is a value");
    assert!(!inputs("--fn f --keep-all --seed 7").contains("p->a = 0,"), "it comes from the seed");
    assert!(inputs("--fn f --keep-all --seed 7 --init zero").contains("p->a = 0,"), "it does not");
}

const ARRAYS: &str = "\
int beyond(const int *a, unsigned n) {
    unsigned sum = 0;
    for (unsigned i = 0; i <= n; i++)
        sum += a[i];
    return sum;
}
int fine(const int *a, unsigned n) {
    unsigned sum = 0;
    if (a)
        for (unsigned i = 0; i < n; i++)
            sum += a[i];
    return sum == 10;
}
int third(int *a) { return a && a[2] == 5; }
";

#[test]
fn lengths() {
    let (bench, json) = explore(ARRAYS, "--fn beyond --len a=n --max-elements 3 --strict");
    let kinds: Vec<String> = errors(&json).into_iter().map(|error| error.0).collect();
    assert_eq!(kinds, ["null pointer dereference", "array index out of bounds"], "{json:#}");
    assert_eq!(json["verdict"], "bounded");
    let case = json["errors"][1]["case"].as_u64().expect("a case");
    let ran = bench.tine(&format!("replay out {case}"));
    assert!(ran.stdout.contains("ended by signal 11"), "the machine finds it, too: {ran}");
    let (_, json) = explore(ARRAYS, "--fn fine --len a=n --max-elements 3");
    assert_eq!(errors(&json), []);
    let (_, json) = explore(ARRAYS, "--fn third --len a=2");
    assert_eq!(errors(&json)[0].0, "array index out of bounds", "{json:#}");
    let (_, json) = explore(ARRAYS, "--fn third");
    assert_eq!((errors(&json).len(), &json["verdict"]), (0, &"complete".into()), "without a length it grows");
}

#[test]
fn lengths_in_the_configuration() {
    let bench = Bench::new(&[("unit.c", ARRAYS), ("tine.toml", "[test]\nlen = [\"a=2\"]\n")]);
    assert_eq!(errors(&bench.tine("test unit.c --fn third --json").json())[0].0, "array index out of bounds");
}

#[test]
fn strings() {
    let unit = "#include <stdlib.h>\nint f(const char *s) { int n = 0; if (!s) return -1; while (s[n]) n++;\n    if (n == 3 && s[0] == 'h' && s[2] == '!') abort();\n    return n; }\n";
    let (_, json) = explore(unit, "--fn f --max-string 4");
    let found = errors(&json);
    assert_eq!((found[0].0.as_str(), found.len()), ("abort", 1), "{json:#}");
    let input = found[0].2.as_bytes();
    assert!(input.starts_with(b"s = \"h") && input.ends_with(b"!\""), "{}", found[0].2);
    assert_eq!(json["verdict"], "bounded");
    assert_eq!(json["reasons"][0]["what"], "bound reached: --max-string", "{json:#}");
}

#[test]
fn the_arguments_of_main() {
    let unit = "#include <stdlib.h>\nint main(int argc, char **argv) {\n    if (argc == 3 && argv[2][0] == '-' && argv[2][1] == 'x')\n        abort();\n    return 0;\n}\n";
    let (_, json) = explore(unit, "--fn main --max-elements 4");
    let found = errors(&json);
    assert_eq!((found[0].0.as_str(), found[0].1, found.len()), ("abort", 4, 1), "{json:#}");
    assert!(found[0].2.contains("argv[2] = \"-x\"") && found[0].2.contains("argv[3] = NULL"), "{}", found[0].2);
}

#[test]
fn functions_as_inputs() {
    let unit = "\
#include <stdlib.h>
struct s { int a; int (*op)(int); };
static int twice(int x) { return (int)(2u * x); }
static int half(int x) { return x / 2; }
static long other(long x) { return x; }
void *table[] = { (void *)twice, (void *)half, (void *)other };
int apply(struct s *p) {
    if (!p || !p->op)
        return 0;
    if (p->op == half && p->op(p->a) == 21)
        abort();
    return p->op(p->a) == 77;
}
";
    let (bench, json) = explore(unit, "--fn apply --keep-all");
    only_error(&json, "abort", 11, "p->a = 42, p->op = &half");
    assert_eq!(json["verdict"], "complete");
    let ran = bench.tine(&format!("replay out {}", json["errors"][0]["case"]));
    assert!(ran.stdout.contains("p->op = &half") && ran.stdout.contains("ended by signal 6"), "{ran}");
    let all: String = (1..=json["runs"].as_u64().expect("runs"))
        .map(|case| bench.tine(&format!("replay out {case}")).stdout)
        .collect();
    assert!(all.contains("&twice") && all.contains("tine_stub_1()"), "{all}");
    assert!(!all.contains("&other"), "its type is another: {all}");
}

#[test]
fn untyped_pointers() {
    let unit = "#include <stdlib.h>\nstruct n { int v; struct n *l; };\nint f(void *p) { struct n *n = p;\n    if (n && n->v == 9 && n->l && n->l->v == 8) abort();\n    return 0; }\n";
    let (_, json) = explore(unit, "--fn f --type 'p=struct n'");
    only_error(&json, "abort", 4, "p->v = 9, p->l->v = 8, p->l->l = NULL");
    let bytes = "int f(const void *p) { const unsigned char *b = p; return b && b[3] == 7 ? 1 / (b[3] - 7) : 0; }\n";
    let (_, json) = explore(bytes, "--fn f");
    assert_eq!(errors(&json)[0].0, "division by zero", "{json:#}");
}

#[test]
fn globals() {
    let unit = "static int limit = 3;\nconst int fixed = 4;\nint f(unsigned x) { if (limit == 7) return 1 / (x - 7); return fixed; }\n";
    assert_eq!(errors(&explore(unit, "--fn f").1), []);
    only_error(&explore(unit, "--fn f --globals all").1, "division by zero", 3, "x = 7, limit = 7");
    only_error(&explore(unit, "--fn f --globals limit").1, "division by zero", 3, "x = 7, limit = 7");
    Bench::new(&[("unit.c", unit)]).fails(
        "test unit.c --fn f --globals limits",
        USAGE,
        &["no global variable `limits`", "`limit`"],
    );
}

#[test]
fn volatile_objects() {
    let unit = "#include <stdlib.h>\nvolatile unsigned status;\nint f(volatile unsigned *port) {\n    volatile int own = 1;\n    if (status == 1 && status == 2 && own == 1 && port && *port == 3 && *port == 4)\n        abort();\n    return 0;\n}\n";
    assert_eq!(errors(&explore(unit, "--fn f").1), [], "what is read twice is the same");
    let (bench, json) = explore(unit, "--fn f --volatile");
    let found = errors(&json);
    assert_eq!((found[0].0.as_str(), found[0].1, found.len()), ("abort", 6, 1), "{json:#}");
    assert!(found[0].2.contains("status = 1, status#2 = 2, volatile = 3, volatile#2 = 4"), "{}", found[0].2);
    let ran = bench.tine(&format!("replay out {}", json["errors"][0]["case"]));
    assert!(ran.stdout.contains("ended by signal 6"), "{ran}");
}

const SURROUNDED: &str = "\
#include <stdlib.h>
struct item { int n; };
extern int probe(double);
extern struct item *find(int key);
int f(int x) {
    struct item *item = x > 3 ? find(x) : 0;
    if (item && item->n == probe(1.0))
        return abs(x);
    return 0;
}
";

#[test]
fn functions_without_a_body() {
    let (_, json) = explore(SURROUNDED, "--fn f");
    let found = errors(&json);
    assert_eq!((found[0].0.as_str(), found[0].1, found.len()), ("call of an undefined function", 6, 1), "{json:#}");
    let how = |json: &Value| -> Vec<(String, String)> {
        let all = json["undefined_symbols"].as_array().expect("undefined symbols").iter();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        all.map(|one| (text(&one["function"]), text(&one["how"]))).collect()
    };
    let pairs = |list: [(&str, &str); 2]| list.map(|(name, how)| (name.to_owned(), how.to_owned())).to_vec();
    assert_eq!(how(&json), pairs([("find", "missing"), ("probe", "missing")]));
    let (_, json) = explore(SURROUNDED, "--fn f --stub all");
    assert_eq!((errors(&json).len(), &json["verdict"]), (0, &"complete".into()), "{json:#}");
    assert_eq!((&json["branches_covered"], &json["branches_total"]), (&6.into(), &6.into()), "{json:#}");
    assert_eq!(how(&json), pairs([("find", "stub"), ("probe", "stub")]));
    let (_, json) = explore(SURROUNDED, "--fn f --stub find");
    let found = errors(&json);
    assert_eq!((found[0].0.as_str(), found[0].1, found.len()), ("call of an undefined function", 7, 1), "{json:#}");
    assert!(found[0].2.contains("find()->n = 0"), "{}", found[0].2);
    let bench = Bench::new(&[("unit.c", SURROUNDED)]);
    bench.fails("test unit.c --fn f --stub finds", USAGE, &["calls no function `finds`", "`find`"]);
}

const PREDICATES: &str = "\
#include <stdlib.h>
int f(int x) { if (x == 3) abort(); return x > 100; }
static int large(int x) { return x > 5; }
static int never(int x) { return x > 5 && x < 3; }
static int sane(int x, int result) { return result >= 0 && x != 50; }
static int other(long x) { return x > 5; }
";

#[test]
fn predicates() {
    only_error(&explore(PREDICATES, "--fn f").1, "abort", 2, "x = 3");
    assert_eq!(errors(&explore(PREDICATES, "--fn f --requires large").1), []);
    let (bench, json) = explore(PREDICATES, "--fn f --requires large --ensures sane");
    only_error(&json, "postcondition failure", 2, "x = 50");
    let ran = bench.tine(&format!("replay out {}", json["errors"][0]["case"]));
    assert!(ran.stderr.contains("postcondition failure (sane)"), "{ran}");

    let bench = Bench::new(&[("unit.c", PREDICATES)]);
    let ran: Ran = bench.tine("test unit.c --fn f --requires never");
    assert_eq!(ran.code, Some(USAGE), "{ran}");
    assert!(ran.stderr.contains("no input satisfies `never`"), "{ran}");
    for (flags, parts) in [
        ("--requires larger", ["no predicate `larger`", "`large`"]),
        ("--requires other", ["does not fit", "int other(int)"]),
        ("--ensures large", ["does not fit", "int large(int, int)"]),
        ("--len y=3", ["no parameter `y`", "`x`"]),
        ("--len x", ["has no `=`", "PTR=N"]),
        ("--type q=int", ["no parameter `q`", "`x`"]),
    ] {
        bench.fails(&format!("test unit.c --fn f {flags} --out other"), USAGE, &parts);
    }
}

/// Without `extern`, an `inline` function in C is only visible where its definition is.
#[test]
fn inline_functions() {
    let unit = "inline int f(int x) { return x == 77 ? 1 / (x - 77) : 0; }\n";
    only_error(&explore(unit, "--fn f").1, "division by zero", 1, "x = 77");
}

#[test]
fn pictures() {
    let (bench, _) = explore(LIST, "--fn testme --keep-all --strategy dfs");
    let ran = bench.tine("show out 5");
    assert!(ran.stdout.contains("p->next = p"), "{ran}");
    let svg = bench.tine("show out 5 --svg").stdout;
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>") && svg.contains("next"), "{svg}");
    let dot = bench.tine("show out 5 --dot").stdout;
    assert!(dot.starts_with("digraph") && dot.contains("->"), "{dot}");
    let json: Value = serde_json::from_str(&bench.tine("show out 5 --json").stdout).expect("JSON");
    assert_eq!(json["map"]["roots"][0]["name"], "p");
    bench.fails("show out 55", USAGE, &["no case 55"]);
}

#[test]
fn every_function_of_a_file() {
    let unit = "\
#include <stdlib.h>
int good(int x) { if (x > 3) return 1; return 0; }
int bad(int *p) { if (p && *p == 5) abort(); return 0; }
static int hidden(int x) { return x; }
int odd(long double x) { return x > hidden(1); }
int worse(int *p) { return bad(p); }
";
    let bench = Bench::new(&[("unit.c", unit)]);
    let ran = bench.tine("test unit.c --out out --max-time 20s");
    assert_eq!(ran.code, Some(1), "{ran}");
    let (errors, table) = ran.stdout.split_at(ran.stdout.find("function ").expect("a table"));
    // Two functions reach it.
    assert_eq!(errors.matches("error: ").count(), 1, "{ran}");
    assert!(errors.contains("unit.c:3:37 in `bad`\n") && errors.contains("replay: tine replay out/bad 3\n"), "{ran}");
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["function", "branches", "coverage", "errors", "runs", "complete?"]);
    assert_eq!(lines[1], ["good", "2", "100.0", "%", "0", "2", "complete"]);
    assert_eq!(lines[2][..5], ["bad", "4", "100.0", "%", "1"], "{ran}");
    assert_eq!(lines[3][..3], ["odd", "not", "explored:"], "{ran}");
    // The branches of `bad` are those of its callers, too.
    assert_eq!(lines[4][..5], ["worse", "4", "100.0", "%", "1"], "{ran}");
    assert_eq!(bench.tine("replay out/bad 3").code, Some(1));
    bench.fails("test unit.c --out out", USAGE, &["already holds a session"]);
    let json = bench.tine("test unit.c --out json --json").json();
    assert_eq!(json["functions"][1]["target"], "bad");
}
