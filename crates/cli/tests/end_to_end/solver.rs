//! The solver's instruments from the command line.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::Bench;

/// Branches for several tiers: a goal that says its answer, a contradiction, sums, products, floats.
const MIXED: &str = "\
int f(unsigned x, unsigned y, float z) {
    int n = 0;
    if (x == 1234)
        n++;
    if (x + y > 100 && y < 7)
        n += 2;
    if ((x & 0xff) * (y & 0xff) == 391)
        n += 4;
    if (x < 5 && x > 9)
        __builtin_trap();
    if (z * 2.0f == 5.0f)
        n += 8;
    return n;
}
";

/// Everything about a summary that does not depend on how queries are answered.
fn found(bench: &Bench, what: &str, flags: &str) -> (Option<i32>, [u64; 3]) {
    let _ = fs::remove_dir_all(bench.path("out"));
    let ran = bench.tine(&format!("test {what} --json --out out {flags}"));
    let summary = ran.json();
    (ran.code, ["paths", "branches_covered", "branches_total"].map(|key| summary[key].as_u64().expect("a number")))
}

#[test]
fn how_queries_are_answered_changes_no_result() {
    let bench = Bench::new(&[("unit.c", MIXED)]);
    let unit = "unit.c --fn f";
    let expected = found(&bench, unit, "");
    assert_eq!(expected.0, Some(0));
    let every = tiers(&bench);
    assert!(every.contains(&"slice".to_owned()), "{every:?}");
    let all = format!("--no-tier {}", every.join(","));
    let each = every.iter().map(|tier| format!("--no-tier {tier}"));
    let others = ["--solver-check", "--solver z3", "--solver portfolio"].map(str::to_owned);
    for flags in each.chain([all]).chain(others) {
        assert_eq!(found(&bench, unit, &flags), expected, "{flags}");
    }
    bench.fails("test unit.c --fn f --no-tier magic", 2, &["`magic` is no tier; there are trivial, "]);
}

/// The same on examples and on a structure, for each tier.
#[test]
fn no_tier_changes_the_paths_of_the_examples() {
    let bench = Bench::new(&[]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there");
    for (file, function) in [
        ("examples/triangle.c", "--fn classify"),
        ("examples/figure1_function.c", "--fn figure1"),
        ("benches/structures/list.check.c", "--fn insert_sorted --requires can_insert_sorted --max-objects 3"),
    ] {
        let what = format!("{} {function}", shell_words::quote(&root.join(file).display().to_string()));
        let expected = found(&bench, &what, "");
        assert!(expected.1[0] > 2, "{file}: {expected:?}");
        for tier in tiers(&bench) {
            assert_eq!(found(&bench, &what, &format!("--no-tier {tier}")), expected, "{file} without {tier}");
        }
        assert_eq!(found(&bench, &what, "--solver-check"), expected, "{file} checked");
    }
}

/// As the help lists them.
fn tiers(bench: &Bench) -> Vec<String> {
    let help = bench.tine("run --help").stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, list) = help.split_once("Tiers: ").expect("the help lists the tiers");
    let mut tiers = Vec::new();
    for word in list.split(' ') {
        tiers.push(word.trim_end_matches(',').to_owned());
        if !word.ends_with(',') {
            break;
        }
    }
    tiers
}

#[test]
fn the_log_runs_in_tine_and_in_z3() {
    let bench = Bench::new(&[("unit.c", MIXED)]);
    let ran = bench.tine("test unit.c --fn f --out out --solver-log log.smt2");
    assert_eq!(ran.code, Some(0), "{ran}");
    let log = fs::read_to_string(bench.path("log.smt2")).expect("a log");
    let logged: Vec<&str> =
        log.lines().filter_map(|line| line.strip_prefix("; bitwuzla: ")?.split(' ').next()).collect();
    assert!(logged.len() > 3 && logged.contains(&"sat") && logged.contains(&"unsat"), "{logged:?}");

    for flags in ["", "--solver-check", "--no-tier trivial,slice,direct,cache"] {
        let solved = bench.tine(&format!("solve log.smt2 {flags}"));
        assert_eq!(solved.code, Some(0), "{solved}");
        let verdicts: Vec<&str> = solved.stdout.lines().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(verdicts, logged, "{flags}: {solved}");
        assert!(solved.stdout.lines().all(|line| line.ends_with(" ms")), "{solved}");
    }
    // The command is no part of what the tests need; its library is, and is tested with the log elsewhere.
    if let Ok(output) = Command::new("z3").arg(bench.path("log.smt2")).output() {
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(printed.lines().collect::<Vec<_>>(), logged);
    }
}

#[test]
fn solve_names_what_it_cannot_read() {
    let bench = Bench::new(&[("bad.smt2", "(set-logic QF_BV)\n(assert (foo true))\n")]);
    bench.fails("solve bad.smt2", 2, &["bad.smt2: line 2: `foo` is not known", "--solver-log"]);
    bench.fails("solve nothing.smt2", 2, &["nothing.smt2"]);
}
