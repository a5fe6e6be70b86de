//! Selection of checks: the list, lists of names, and their effect on sessions and reports.

use crate::support::{Bench, errors};

const UNIT: &str = "#include <stdlib.h>
unsigned f(unsigned a, int which) {
    char *p = malloc(4);
    free(p);
    if (which == 1)
        return a * 3;
    if (which == 2)
        free(p);
    if (which == 3)
        return a / (a - a);
    return a;
}
";

#[test]
fn checks_are_listed_and_selected() {
    let bench = Bench::new(&[("f.c", UNIT)]);
    let list = bench.tine("checks");
    assert!(list.stdout.contains("unsigned-overflow  off"), "{list}");
    assert!(list.stdout.contains("bounds             on"), "{list}");
    let kinds = |list: &str, out: &str| {
        let ran = bench.tine(&format!("test f.c --fn f --json --out {out} --check={list}"));
        let summary = ran.json();
        let mut kinds: Vec<String> = errors(&summary).into_iter().map(|(kind, _)| kind).collect();
        kinds.sort();
        (kinds.join(", "), summary["checks"].as_str().unwrap_or_default().to_owned())
    };
    let all = "division by zero, double free, unsigned integer overflow";
    for (number, (list, expected, named)) in [
        ("default", "division by zero, double free", "default"),
        ("all,-leak", all, "+unsigned-overflow,+narrowing"),
        ("free", "double free", "free"),
        ("-free,-division,-signal", "", "-free,-division,-signal"),
        ("unsigned-overflow", "unsigned integer overflow", "unsigned-overflow"),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(kinds(list, &format!("out{number}")), (expected.to_owned(), named.to_owned()), "{list}");
    }
}

#[test]
fn the_selection_is_a_setting_and_mistakes_are_named() {
    let bench = Bench::new(&[("f.c", UNIT), ("tine.toml", "check = \"+unsigned-overflow\"\n")]);
    let ran = bench.tine("test f.c --fn f --max-runs 1 --out session");
    assert!(ran.stdout.contains("checks: +unsigned-overflow"), "{ran}");
    let resumed = bench.tine("resume session --max-runs 100");
    assert!(resumed.stdout.contains("unsigned integer overflow"), "{resumed}");
    let wrong = bench.tine("test f.c --fn f --check narowing");
    assert_eq!(wrong.code, Some(2), "{wrong}");
    assert!(wrong.stderr.contains("did you mean `narrowing`?"), "{wrong}");
    let compiler = bench.tine("cc --check=narowing f.c");
    assert!(compiler.stderr.contains("`narowing` is not a check"), "{compiler}");
}

const FAULTS: &str = "#include <stdlib.h>
int f(int which, int n) {
    int local[4] = {0};
    int *p = malloc(16);
    if (!p)
        return 0;
    if (which == 1)
        p[4] = n;
    free(p);
    if (which == 2)
        return *p;
    if (which == 3)
        free(p);
    if (which == 4)
        return n / (n - n);
    int *q = local;
    return which == 5 ? q[4] : 0;
}
";

/// Every error of the unit is confirmed by the sanitizer that knows its kind.
#[test]
fn sanitizers_confirm_errors() {
    let bench = Bench::new(&[("f.c", FAULTS)]);
    let ran = bench.tine("test f.c --fn f --json --out session");
    let summary = ran.json();
    let found = summary["errors"].as_array().expect("errors");
    assert_eq!(found.len(), 5, "{ran}");
    for error in found {
        let replayed = bench.tine(&format!("replay session {} --sanitize", error["case"]));
        let sanitizer =
            if error["kind"] == "division by zero" { "UndefinedBehaviorSanitizer" } else { "AddressSanitizer" };
        assert!(replayed.stdout.contains(&format!(": confirmed by {sanitizer}")), "{error}: {replayed}");
        assert_eq!(replayed.code, Some(1), "{replayed}");
    }
}

const CALLS: &str = "static int add(int a, int b) {
    return a + b;
}
static void put(char *p, int n) {
    p[n] = 0;
}
int f(int x, unsigned s) {
    char b[12];
    int t[4] = {0};
    if (x == 7 && s < 9)
        return t[s];
    if (x > 11 && x < 14)
        put(b, x);
    if (x == 101)
        return x / (int)s;
    return add(x, 5);
}
";

/// An error has the calls that led to it and the operands of what a check refused.
#[test]
fn errors_have_calls_and_operands() {
    let bench = Bench::new(&[("f.c", CALLS)]);
    let ran = bench.tine("test f.c --fn f --json --out session");
    let summary = ran.json();
    let found: Vec<String> = summary["errors"]
        .as_array()
        .expect("errors")
        .iter()
        .map(|error| {
            let calls = error["callers"].as_array().expect("calls");
            let calls: Vec<String> =
                calls.iter().map(|call| format!("{}:{}", call["function"], call["line"])).collect();
            let (line, about) = (&error["line"], error["about"].as_str().unwrap_or_default());
            format!("{line} {} {about}", calls.join(" ").replace('"', ""))
        })
        .collect();
    for expected in [
        "2 f:16 2147483643 + 5",
        "5 f:13 write of 1 byte, right after the 12-byte local variable",
        "11  index 4 of an array of 4 elements",
        "15  101 / 0",
    ] {
        assert!(found.iter().any(|error| error == expected), "{expected}: {found:?}");
    }
    let shown = bench.tine("test f.c --fn f --out again").stdout;
    assert!(shown.contains("called at"), "{shown}");
}
