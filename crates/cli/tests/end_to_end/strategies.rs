//! Strategies: their list and options, and independence of the results from the order.

use std::collections::BTreeSet;

use tine_session::Session;

use crate::support::{Bench, errors};

/// Names, from the list that users see.
fn names(bench: &Bench) -> Vec<String> {
    let ran = bench.tine("strategies");
    assert_eq!(ran.code, Some(0), "{ran}");
    let first = |line: &str| line.split_whitespace().next().map(str::to_owned);
    let names: Vec<_> = ran.stdout.lines().take_while(|line| !line.is_empty()).collect();
    names.into_iter().filter(|line| !line.starts_with(' ')).filter_map(first).collect()
}

/// Each strategy that runs to the end finds the same paths and errors, and reaches the same verdict.
#[test]
fn the_order_does_not_change_what_is_found() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let bench = Bench::new(&[]);
    let names = names(&bench);
    assert!(names.len() >= 10, "{names:?}");
    let units = [
        "triangle.c --fn classify",
        "midpoint.c --fn midpoint",
        "binary_search.c --fn search --depth 12",
        "figure1_function.c --fn figure1",
    ];
    let mut compared = 0;
    for (number, unit) in units.into_iter().enumerate() {
        let explore = |name: &str| {
            let out = format!("{name}{number}");
            let ran =
                bench.tine(&format!("test {root}/{unit} --strategy {name} --seed 5 --init zero --json --out {out}"));
            assert!(matches!(ran.code, Some(0 | 1)), "{ran}");
            let summary = ran.json();
            let found: BTreeSet<_> = errors(&summary).into_iter().collect();
            let numbers = ["paths", "branches_covered"].map(|key| summary[key].as_u64().expect("a number"));
            (numbers, found, summary["verdict"].as_str().expect("a verdict").to_owned())
        };
        let expected = explore("dfs");
        for name in names.iter().filter(|name| *name != "dfs" && *name != "random-input") {
            assert_eq!(explore(name), expected, "{name} on {unit}");
            compared += 1;
        }
    }
    assert!(compared >= 32, "{compared}");
}

#[test]
fn random_inputs_are_run_without_solving() {
    let unit =
        "int f(unsigned char x, int y) {\n    if (y == 123456789)\n        __builtin_trap();\n    return x > 100;\n}\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    let ran = bench.tine("test unit.c --fn f --strategy random-input --max-runs 100 --json --out out");
    let summary = ran.json();
    assert_eq!((summary["runs"].as_u64(), summary["solver"]["queries"].as_u64()), (Some(100), Some(0)), "{ran}");
    assert_eq!((&summary["verdict"], errors(&summary)), (&"incomplete".into(), vec![]), "{ran}");
    let bytes = "int f(unsigned char x) {\n    if (x > 100)\n        __builtin_trap();\n    return 0;\n}\n";
    std::fs::write(bench.path("bytes.c"), bytes).expect("a unit");
    let ran = bench.tine("test bytes.c --fn f --strategy random-input --max-runs 100 --json --out bytes");
    assert_eq!((errors(&ran.json()).len(), ran.json()["solver"]["queries"].as_u64()), (1, Some(0)), "{ran}");
}

#[test]
fn mistakes_are_named() {
    let bench = Bench::new(&[("unit.c", "int f(int x) { return x > 3; }\n"), ("w", "unit.c:1 0.5\nunit.c 3\n")]);
    for (strategy, expected) in [
        ("dsf", "did you mean `dfs`?"),
        ("bounded-dfs:bound=0", "takes a number from 1 on, not `0`"),
        ("probabilistic:weights=w", "w, line 2: `unit.c` is not of the form FILE:LINE"),
        ("probabilistic:weights=nowhere", "nowhere: No such file"),
    ] {
        let ran = bench.tine(&format!("test unit.c --fn f --strategy {strategy}"));
        assert_eq!(ran.code, Some(2), "{ran}");
        assert!(ran.stderr.contains(expected), "{ran}");
    }
}

#[test]
fn weights_that_name_no_branch_are_told() {
    let bench = Bench::new(&[("unit.c", "int f(int x) {\n    if (x > 3)\n        return 1;\n    return 0;\n}\n")]);
    std::fs::write(bench.path("w"), "unit.c:2 0.9\nunit.c:4 0.1\n").expect("weights");
    let ran = bench.tine("test unit.c --fn f --strategy probabilistic:weights=w");
    assert_eq!(ran.code, Some(0), "{ran}");
    assert!(ran.stderr.contains("name unit.c:4, but there is no branch") && !ran.stderr.contains("unit.c:2"), "{ran}");
}

/// Two functions of one type whose addresses are taken, one of another type, and an indirect call.
const TABLE: &str = "\
typedef int action(int);
static int twice(int x) { if (x > 1000) __builtin_trap(); return 2 * x; }
static int next(int x) { return x + 1; }
static long other(long x, long y) { return x + y; }
action *volatile table[] = { twice, next };
long (*volatile unrelated)(long, long) = other;
int f(int x) {
    if (x == 77)
        return -1;
    return table[x & 1](x);
}
";

#[test]
fn the_graph_of_a_program_and_of_a_session() {
    let bench = Bench::new(&[("unit.c", TABLE)]);
    let ran = bench.tine("test unit.c --fn f --out out --max-runs 1");
    assert!(matches!(ran.code, Some(0 | 1)), "{ran}");
    let ran = bench.tine("graph out --json");
    assert_eq!(ran.code, Some(0), "{ran}");
    let graph = ran.json();
    let functions = graph["functions"].as_array().expect("functions");
    let f = functions.iter().find(|function| function["function"] == "f").expect("f");
    let blocks = f["blocks"].as_array().expect("blocks");
    let calls: Vec<_> = blocks.iter().flat_map(|block| block["calls"].as_array().expect("calls")).collect();
    let called = |name: &str| calls.iter().any(|callee| *callee == name);
    assert!(called("twice") && called("next") && !called("other"), "{calls:?}");
    let sides: Vec<_> = blocks.iter().flat_map(|block| block["flows"].as_array().expect("flows")).collect();
    let covered = |value: bool| sides.iter().filter(|flow| flow["covered"] == value).count();
    assert_eq!((covered(true), covered(false)), (1, 1), "one run, one branch: {sides:?}");

    let dot = bench.tine("graph out --dot");
    assert!(dot.stdout.starts_with("digraph") && dot.stdout.contains("color=red"), "{dot}");
    let svg = bench.tine("graph out --svg").stdout;
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    assert!(svg.contains("stroke=\"red\"") && svg.contains(">true<"), "{svg}");
    let program = bench.tine("graph out/unit");
    assert_eq!(program.code, Some(0), "{program}");
    assert!(program.stdout.contains("style=dashed") && !program.stdout.contains("color=red"), "{program}");
    let wrong = bench.tine("graph unit.c");
    assert_eq!(wrong.code, Some(2), "{wrong}");
}

/// Each run gets one digit further than the previous one: in the end the last path has all digits, and only the ends of
/// the others are missing.
#[test]
fn the_suite_is_minimised() {
    let unit = "\
int f(unsigned x) {
    if (x & 1) { x = x / 3; __asm__ volatile(\"\"); }
    if (x & 2) { x = x / 3; __asm__ volatile(\"\"); }
    if (x > 7000000) __builtin_trap();
    return (int) x;
}
";
    let bench = Bench::new(&[("unit.c", unit)]);
    let explore = |flags: &str, out: &str| {
        let ran = bench.tine(&format!("test unit.c --fn f --json --out {out} {flags}"));
        assert_eq!(ran.code, Some(1), "{ran}");
        let session = Session::open(&bench.path(out)).expect("a session");
        (ran.json(), session)
    };
    let (summary, all) = explore("--keep all", "all");
    let (same, suite) = explore("", "suite");
    assert_eq!(summary["branches_covered"], same["branches_covered"]);
    let (all, kept) = (all.cases().expect("cases"), suite.cases().expect("cases"));
    assert_eq!(all.len() as u64, summary["paths"].as_u64().expect("a number"));
    // The error, and cases without errors that cover the same sides.
    assert!(kept.len() < all.len() && kept.len() <= 4, "{} of {}", kept.len(), all.len());
    let ids: BTreeSet<_> = kept.iter().map(|case| case.id).collect();
    let sides = suite.branches().expect("branches");
    let covered: Vec<_> = sides.iter().filter_map(|side| side.case).collect();
    assert_eq!(covered.len() as u64, summary["branches_covered"].as_u64().expect("a number"));
    assert!(covered.iter().all(|case| ids.contains(case)), "each covered side names a case that is there");
    assert!(suite.errors().expect("errors").iter().all(|error| ids.contains(&error.case)));
}

/// An infeasible side does not count as missed.
#[test]
fn infeasible_sides_are_shown_as_such() {
    let unit = "int f(int x) {\n    if (x > 10 && x < 5)\n        return 1;\n    return x == 3;\n}\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    let ran = bench.tine("test unit.c --fn f --out out");
    assert!(ran.stdout.contains("coverage: 3 of 4 branches (75.0 %), 1 infeasible"), "{ran}");
    let session = Session::open(&bench.path("out")).expect("a session");
    let why: Vec<_> = session.branches().expect("branches").iter().map(|side| side.why.map(|why| why.text())).collect();
    assert_eq!(why.iter().flatten().collect::<Vec<_>>(), [&"infeasible"], "{why:?}");
    let graph = bench.tine("graph out --json").stdout;
    assert_eq!(graph.matches("\"infeasible\":true").count(), 1, "{graph}");
    let svg = bench.tine("graph out --svg").stdout;
    assert!(svg.contains("stroke-dasharray") && !svg.contains("stroke=\"red\""), "{svg}");
    // The curve ends with the exploration.
    let (curve, summary) = (session.coverage().expect("a curve"), session.summary().expect("one").expect("it ended"));
    let last = curve.last().expect("a point");
    assert_eq!((last.run, last.covered), (summary.runs, summary.branches_covered as u64));
    assert!(curve.is_sorted_by(|a, b| a.run < b.run && a.covered <= b.covered && a.elapsed_ms <= b.elapsed_ms));
}
