//! Several workers find the same paths. One worker makes the same runs each time.

use std::collections::BTreeSet;

use tine_session::Session;

use crate::support::{Bench, errors};

/// A few hundred paths with branches of several kinds, errors on some.
const UNIT: &str = "\
int f(unsigned char *text, int n) {
    int state = 0;
    for (int i = 0; i < 4 && text[i]; i++) {
        switch (text[i]) {
        case 'a': state += 1; break;
        case 'b': state *= 2; break;
        case 'c': state -= 3; break;
        }
        if (state == 6)
            __builtin_trap();
    }
    if (n > 10 && state < 0)
        return 100 / (n - 11);
    return state;
}
";

fn explore(bench: &Bench, flags: &str, out: &str) -> serde_json::Value {
    let ran = bench.tine(&format!("test unit.c --fn f --len text=6 --keep all --json --quiet {flags} --out {out}"));
    assert!(matches!(ran.code, Some(0 | 1)), "{ran}");
    ran.json()
}

/// The contents of a session, except for times.
fn contents(bench: &Bench, out: &str) -> String {
    let session = Session::open(&bench.path(out)).expect("a session");
    let cases = session.cases().expect("cases").into_iter().map(|mut case| {
        case.elapsed_ms = 0;
        format!("{case:?}")
    });
    let cases: Vec<_> = cases.collect();
    let curve: Vec<_> = session.coverage().expect("a curve").iter().map(|point| (point.run, point.covered)).collect();
    let (errors, branches) = (session.errors().expect("errors"), session.branches().expect("branches"));
    format!("{cases:?}\n{errors:?}\n{branches:?}\n{curve:?}")
}

#[test]
fn one_worker_does_the_same_twice() {
    let bench = Bench::new(&[("unit.c", UNIT)]);
    for (number, flags) in ["", "--strategy auto", "--strategy random --seed 9"].into_iter().enumerate() {
        let (first, second) = (format!("first{number}"), format!("second{number}"));
        let summaries = [&first, &second].map(|out| {
            let mut summary = explore(&bench, &format!("{flags} --jobs 1"), out);
            summary["time_ms"] = 0.into();
            summary["solver"]["time_ms"] = 0.into();
            for (_, tier) in summary["solver"]["tiers"].as_object_mut().expect("tiers") {
                tier["time_ms"] = 0.into();
            }
            summary
        });
        assert_eq!(summaries[0], summaries[1], "{flags}");
        assert_eq!(contents(&bench, &first), contents(&bench, &second), "{flags}");
    }
}

#[test]
fn several_workers_find_the_same_paths() {
    let bench = Bench::new(&[("unit.c", UNIT)]);
    let found = |flags: &str, out: &str| {
        let summary = explore(&bench, flags, out);
        let numbers = ["paths", "branches_covered", "verdict", "open"].map(|key| summary[key].to_string());
        let places: BTreeSet<_> = errors(&summary).into_iter().collect();
        let queries = summary["solver"]["queries"].as_u64().expect("a number");
        ((numbers, places), queries)
    };
    let (expected, queries) = found("--jobs 1 --strategy dfs", "one");
    assert!(expected.0[0].parse::<u64>().expect("a number") > 200, "{expected:?}");
    for jobs in [2, 5] {
        for strategy in ["dfs", "generational", "auto"] {
            let (actual, n_queries) =
                found(&format!("--jobs {jobs} --strategy {strategy}"), &format!("{strategy}{jobs}"));
            assert_eq!(actual, expected, "{jobs} with {strategy}");
            // Restarts of `auto` may find a path before the solver is asked for it.
            if strategy != "auto" {
                assert_eq!(n_queries, queries, "what all workers asked counts");
            }
        }
    }
}

#[test]
fn the_number_of_workers_is_checked() {
    let bench = Bench::new(&[("unit.c", UNIT)]);
    bench.fails("test unit.c --fn f --jobs 0", 2, &["--jobs", "0"]);
    bench.fails("test unit.c --fn f --jobs many", 2, &["--jobs", "many"]);
}

/// Breadth-first search keeps everything open: a million branches do not fit, and that is reported. Depth-first search
/// needs little memory.
#[test]
fn the_tree_is_bounded() {
    let unit = "int f(unsigned x) {\n    int n = 0;\n    for (int i = 0; i < 15; i++)\n        if (x >> i & 1)\n            n++;\n    return n;\n}\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    let explore = |strategy: &str| {
        let ran = bench.tine(&format!("test unit.c --fn f --memory 1M --strategy {strategy} --json --out {strategy}"));
        assert_eq!(ran.code, Some(0), "{ran}");
        ran.json()
    };
    let small = explore("dfs");
    assert_eq!((&small["verdict"], small["paths"].as_u64()), (&"complete".into(), Some(1 << 15)));
    let large = explore("bfs");
    assert_eq!(large["verdict"], "bounded");
    let reasons = large["reasons"].as_array().expect("reasons");
    assert!(reasons.iter().all(|reason| reason["what"].as_str().is_some_and(|what| what.contains("--memory"))));
    let dropped: u64 = reasons.iter().map(|reason| reason["count"].as_u64().expect("a count")).sum();
    let paths = large["paths"].as_u64().expect("a number");
    // Each dropped side had at least one path below it.
    assert!(dropped > 100 && paths + dropped <= 1 << 15, "{dropped} dropped, {paths} paths");
}

/// A run with a million branches fills its log and continues concretely. Exploring it needs more than the memory limit.
/// Both are reported, and the coverage of the run counts.
#[test]
fn a_million_branches_have_an_end() {
    let unit = "int f(unsigned x, unsigned y) {\n    int n = 0;\n    for (unsigned i = 0; i < 1000000; i++)\n        \
                if ((x ^ i) * 2654435761u < y + i)\n            n++;\n    return n;\n}\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    let limits = "--max-runs 2 --memory 256M --max-time 10m --run-timeout 1m --jobs 1";
    let ran = bench.tine(&format!("test unit.c --fn f {limits} --json --out out"));
    assert_eq!(ran.code, Some(0), "{ran}");
    let json = ran.json();
    assert_eq!((&json["stopped"], json["branches_covered"].as_u64()), (&"max-memory".into(), Some(4)), "{ran}");
    let count = |what: &str| {
        let reasons = json["reasons"].as_array().expect("reasons").iter();
        let named = reasons.filter(|reason| reason["what"].as_str().is_some_and(|text| text.contains(what)));
        named.map(|reason| reason["count"].as_u64().expect("a count")).sum::<u64>()
    };
    assert!(count("run too long") >= 1, "{ran}");
    assert!(count("--memory") > 100_000, "{ran}");
}
