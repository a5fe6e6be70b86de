//! Solver options of the command line.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use crate::support::{Bench, ran};

/// Branches for several tiers: a goal with an obvious answer, a contradiction, sums, products, floats.
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

/// Results of an exploration that do not depend on the way queries are answered.
#[derive(Debug, PartialEq)]
struct Found {
    code: Option<i32>,
    /// Numbers of paths, covered branches and all branches.
    numbers: [u64; 3],
    /// The branch sides that each path covers, in order; every path is kept. Empty with a bound on depth: after it a
    /// run continues as its input determines, and inputs may differ.
    paths: Vec<Vec<u32>>,
    /// Kind and line.
    errors: Vec<(String, u32)>,
}

fn found(bench: &Bench, what: &str, flags: &str) -> Found {
    let _ = fs::remove_dir_all(bench.path("out"));
    let ran = bench.tine(&format!("{what} --json --keep all --out out {flags}"));
    let summary = ran.json();
    let numbers = ["paths", "branches_covered", "branches_total"].map(|key| summary[key].as_u64().expect("a number"));
    let session = tine_session::Session::open(&bench.path("out")).expect("a session");
    let mut paths: Vec<Vec<u32>> = session.covers().expect("cases").into_iter().map(|(.., covers)| covers).collect();
    paths.sort();
    assert!(paths.len() as u64 >= numbers[0], "{} cases of {} paths: {ran}", paths.len(), numbers[0]);
    if what.contains("--depth") {
        paths.clear();
    }
    let mut errors: Vec<(String, u32)> =
        session.errors().expect("errors").into_iter().map(|error| (error.kind, error.line)).collect();
    errors.sort();
    Found { code: ran.code, numbers, paths, errors }
}

#[test]
fn how_queries_are_answered_changes_no_result() {
    let bench = Bench::new(&[("unit.c", MIXED)]);
    let unit = "test unit.c --fn f";
    let expected = found(&bench, unit, "");
    assert_eq!(expected.code, Some(0));
    let every = tiers(&bench);
    assert!(every.contains(&"slice".to_owned()), "{every:?}");
    let all = format!("--no-tier {}", every.join(","));
    let each = every.iter().map(|tier| format!("--no-tier {tier}"));
    let others = ["--solver-check", "--solver z3", "--solver portfolio"].map(str::to_owned);
    for flags in each.chain([all]).chain(others) {
        assert_eq!(found(&bench, unit, &flags), expected, "{flags}");
    }
    bench.fails(
        "test unit.c --fn f --no-tier magic",
        2,
        &["`magic` is not a solver tier; there are rewrite, trivial, "],
    );
}

/// Expects the same results without each tier, without all tiers, and with every answer checked.
fn no_tier_changes(units: &[(&str, &str)]) {
    let bench = Bench::new(&[]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there");
    let every = tiers(&bench);
    let is_long = std::env::var_os("TINE_LONG").is_some();
    for (row, (file, flags)) in units.iter().enumerate() {
        let file_name = shell_words::quote(&root.join(file).display().to_string()).into_owned();
        let what = if flags.contains("--fn") {
            format!("test {file_name} {flags}")
        } else {
            bench.compile(&file_name, "program");
            format!("run ./program {flags}")
        };
        let expected = found(&bench, &what, "");
        assert!(expected.numbers[0] > 1, "{file}: {expected:?}");
        // Without TINE_LONG, each tier is left out for every fourth unit.
        for (_, tier) in every.iter().enumerate().filter(|(column, _)| is_long || (row + column) % 4 == 0) {
            assert_eq!(found(&bench, &what, &format!("--no-tier {tier}")), expected, "{file} without {tier}");
        }
        let none = format!("--no-tier {}", every.join(","));
        assert_eq!(found(&bench, &what, &none), expected, "{file} without tiers");
        assert_eq!(found(&bench, &what, "--solver-check"), expected, "{file} checked");
    }
}

#[test]
fn no_tier_changes_the_paths_of_the_examples() {
    no_tier_changes(&[
        ("examples/binary_search.c", "--fn search --depth 14 --strategy dfs"),
        ("examples/calculator.c", "--depth 12 --strategy dfs"),
        ("examples/checksum.c", "--fn unlock"),
        ("examples/figure1.c", ""),
        ("examples/figure1_function.c", "--fn figure1"),
        ("examples/four_sources.c", "--sym-argv 1,2 --sym-stdin 2 --sym-file settings,2 --sym-env COLOUR,2"),
        ("examples/list.c", "--fn insert --requires sorted --ensures sorted_after --max-objects 4 --run-timeout 400ms"),
        ("examples/midpoint.c", "--fn midpoint"),
        ("examples/state_machine.c", ""),
        ("examples/triangle.c", "--fn classify"),
    ]);
}

#[test]
fn no_tier_changes_the_paths_of_the_structures() {
    no_tier_changes(&[
        ("benches/structures/list.check.c", "--fn insert_sorted --requires can_insert_sorted --max-objects 3"),
        ("benches/structures/doubly_linked.check.c", "--fn concat --requires can_concat --max-objects 3"),
        ("benches/structures/hash_table.check.c", "--fn find --requires can_find --max-objects 1"),
        ("benches/structures/red_black.check.c", "--fn insert --requires can_insert --max-objects 3"),
        ("benches/structures/quick_sort.check.c", "--fn sort --requires can_sort"),
        ("benches/structures/heap_sort.check.c", "--fn sort --requires can_sort"),
    ]);
}

#[test]
fn no_tier_changes_the_paths_of_queues_and_trees() {
    no_tier_changes(&[
        ("tests/structures/queue/list_remove.c", "--fn remove --requires is_valid --max-objects 4"),
        ("tests/structures/queue/tailq_remove.c", "--fn remove --requires is_valid --max-objects 3"),
        ("tests/structures/utlist/ll_concat.c", "--fn concat --requires is_valid --max-objects 4"),
        ("tests/structures/utlist/dl_sort.c", "--fn sort --requires is_valid --max-objects 3"),
        ("tests/structures/tree/splay_find.c", "--fn find --requires is_valid --max-objects 3"),
        ("tests/structures/tree/rb_find.c", "--fn find --requires is_valid --max-objects 3"),
    ]);
}

/// Names of the tiers in the help text.
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
    let ran = bench.tine("test unit.c --fn f --out out --solver-log log.smt2 --no-tier ranges,guess,values");
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
    let output = Command::new("z3").arg(bench.path("log.smt2")).output().expect("z3 runs");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(printed.lines().collect::<Vec<_>>(), logged);
}

/// A folder with all available programs except for one.
fn programs_without(name: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for known in std::env::split_paths(&std::env::var_os("PATH").expect("a path")) {
        for program in fs::read_dir(known).into_iter().flatten().flatten().filter(|program| program.file_name() != name)
        {
            let _ = symlink(program.path(), folder.path().join(program.file_name()));
        }
    }
    folder
}

/// A search path in which `z3` is this script.
fn instead_of_z3(bench: &Bench, script: &str) -> String {
    let folder = bench.path("instead");
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join("z3"), format!("#!/bin/sh\n{script}\n")).expect("a file");
    fs::set_permissions(folder.join("z3"), fs::Permissions::from_mode(0o755)).expect("a mode");
    format!("{}:{}", folder.display(), std::env::var("PATH").expect("a path"))
}

#[test]
fn z3_that_is_missing_is_named() {
    let bench = Bench::new(&[("unit.c", MIXED)]);
    let programs = programs_without("z3");
    let path = programs.path();
    for solver in ["z3", "portfolio"] {
        let arguments = format!("test unit.c --fn f --out out --solver {solver}");
        let mut command = bench.command(&arguments);
        let help = "help: choose another --solver, or install what it needs";
        bench.command_fails(&arguments, command.env("PATH", path), 2, &["Debian's package `z3`", help]);
    }
    let ran = ran("test unit.c --fn f", bench.command("test unit.c --fn f").env("PATH", path));
    assert_eq!(ran.code, Some(0), "{ran}");
}

/// The run ends normally, without the results that the solver did not return.
#[test]
fn z3_that_crashes_is_an_answer_less() {
    let bench = Bench::new(&[("unit.c", TOO_HARD)]);
    let path = instead_of_z3(&bench, "echo boom >&2; kill -SEGV $$");
    let explore = |flags: &str| {
        let arguments = format!("test unit.c --fn f --solver-timeout 2ms --json {flags}");
        let ran = ran(&arguments, bench.command(&arguments).env("PATH", &path));
        assert_eq!(ran.code, Some(0), "{ran}");
        ran.json()
    };
    let reasons = |summary: &serde_json::Value| -> Vec<(String, u64)> {
        let list = summary["reasons"].as_array().expect("a list");
        list.iter().map(|r| (r["what"].as_str().unwrap_or("").to_owned(), r["line"].as_u64().unwrap_or(0))).collect()
    };
    // As a whole, in part, and again at the end.
    let crashed = "solver could not decide: solver failed: Z3 ended with signal 11: boom";
    let z3 = explore("--out z3 --solver z3");
    assert_eq!(z3["verdict"], "incomplete", "{z3}");
    assert!(z3["solver"]["unknown"].as_u64() >= Some(2), "{z3}");
    assert_eq!(reasons(&z3), [(crashed.to_owned(), 2)], "{z3}");
    // The reason of the first solver is reported.
    let both = explore("--out both --solver portfolio");
    assert_eq!(both["verdict"], "incomplete", "{both}");
    assert_eq!(reasons(&both), [("solver could not decide: time limit".to_owned(), 2)], "{both}");
    assert!(both["solver"]["unknown"].as_u64() > Some(0) && answered(&both, "z3") > 0, "{both}");
}

/// The second attempt finds the results that were missing after a crash.
#[test]
fn z3_that_crashes_once_is_asked_again() {
    let bench = Bench::new(&[("unit.c", MIXED)]);
    let folders = std::env::var_os("PATH").expect("a path");
    let mut known = std::env::split_paths(&folders).map(|folder| folder.join("z3"));
    let real = known.find(|file| file.exists()).expect("z3 is installed");
    let once = format!("mkdir \"$0.once\" 2>/dev/null && exit 1\nexec {} \"$@\"", real.display());
    let path = instead_of_z3(&bench, &once);
    let arguments = "test unit.c --fn f --json --out out --solver z3 --no-tier guess,values";
    let ran = ran(arguments, bench.command(arguments).env("PATH", &path));
    let summary = ran.json();
    assert_eq!((ran.code, &summary["verdict"]), (Some(0), &"complete".into()), "{ran}");
    assert_eq!((&summary["solver"]["unknown"], summary["reasons"].to_string()), (&1.into(), "[]".into()), "{ran}");
}

/// Number of queries that a tier answered.
fn answered(summary: &serde_json::Value, tier: &str) -> u64 {
    summary["solver"]["tiers"][tier]["answered"].as_u64().expect("a number")
}

#[test]
fn answers_of_a_run_serve_the_next() {
    let bench = Bench::new(&[("unit.c", MIXED)]);
    let explore = |out: &str| {
        let ran =
            bench.tine(&format!("test unit.c --fn f --json --out {out} --solver-cache answers --no-tier guess,values"));
        assert_eq!(ran.code, Some(0), "{ran}");
        ran.json()
    };
    let (first, second) = (explore("first"), explore("second"));
    assert!(answered(&first, "bitwuzla") > 0 && answered(&second, "bitwuzla") == 0, "{first}\n{second}");
    assert!(answered(&second, "cache") > answered(&first, "cache"), "{first}\n{second}");
    assert_eq!((&first["paths"], &first["branches_covered"]), (&second["paths"], &second["branches_covered"]));

    bench.write("notes", "some notes\n");
    bench.fails("test unit.c --fn f --out third --solver-cache notes", 2, &["notes: line 1 is none", "--solver-cache"]);
}

/// With `--solver-check`, a wrong answer counts as a bug: here from a manipulated file.
#[test]
fn a_wrong_answer_is_found_by_the_check() {
    let bench = Bench::new(&[("unit.c", MIXED)]);
    let ran = bench.tine("test unit.c --fn f --out first --solver-cache answers");
    assert_eq!(ran.code, Some(0), "{ran}");
    let answers = fs::read_to_string(bench.path("answers")).expect("answers");
    let unsat = |line: &str| match line.strip_prefix("sat ") {
        Some(rest) => format!("unsat {}\n", rest.split(' ').next().unwrap_or("")),
        None => format!("{line}\n"),
    };
    let wrong: String = answers.lines().map(unsat).collect();
    assert_ne!(wrong, answers);
    bench.write("answers", &wrong);
    let ran = bench.tine("test unit.c --fn f --out second --solver-cache answers --solver-check");
    assert_eq!(ran.code, Some(4), "{ran}");
    assert!(ran.stderr.contains("tier cache says unsat, plain SMT sat"), "{ran}");
    // A wrong model is rejected even without `--solver-check`.
    let model = |line: &str| match line.strip_prefix("sat ") {
        Some(rest) => format!("sat {}\n", rest.split(' ').next().unwrap_or("")),
        None => format!("{line}\n"),
    };
    bench.write("answers", &answers.lines().map(model).collect::<String>());
    let before = bench.tine("test unit.c --fn f --json --out third");
    let with = bench.tine("test unit.c --fn f --json --out fourth --solver-cache answers");
    assert_eq!((with.code, &with.json()["paths"]), (Some(0), &before.json()["paths"]), "{with}");
}

/// Factors of a number: too hard for the solver's time limit.
const TOO_HARD: &str = "\
int f(unsigned long x, unsigned long y) {
    if (x > 1 && y > 1 && x < 0x100000000 && y < 0x100000000 && x * y == 0x81b0d9e90cb12355)
        return 1;
    return 0;
}
";

/// A query that is too hard is tried again at the end, and is then unknown: with its reason, and with exit code 0.
#[test]
fn what_is_too_hard_is_tried_again_and_told() {
    let bench = Bench::new(&[("hard.c", TOO_HARD)]);
    let ran = bench.tine("test hard.c --fn f --json --out out --solver-timeout 2ms");
    assert_eq!(ran.code, Some(0), "{ran}");
    let summary = ran.json();
    let reasons = summary["reasons"].to_string();
    assert_eq!(summary["verdict"], "incomplete", "{ran}");
    assert!(reasons.contains("solver could not decide: time limit") && reasons.contains("\"count\":1"), "{ran}");
    // Once as a whole and once again with twice the time; and in part, where an input was tried.
    assert!(summary["solver"]["unknown"].as_u64() >= Some(2), "{ran}");
    assert!(summary["solver"]["optimistic"].as_u64() >= summary["solver"]["arrived"].as_u64(), "{ran}");
}

/// Limits of the unanswered queries in a log.
fn given_up(bench: &Bench, log: &str) -> Vec<String> {
    let text = fs::read_to_string(bench.path(log)).expect("a log");
    let unknown = text.lines().filter(|line| line.starts_with("; bitwuzla: unknown (time limit) "));
    unknown.map(|line| line.split_once(" ms of ").expect("limits").1.to_owned()).collect()
}

/// The second attempt is made at the end, if the budget is not spent, with twice the time and twice the memory. A
/// session that was interrupted before that makes it when it is resumed.
#[test]
fn limits_are_doubled_at_the_end() {
    // Depth-first search asks for the product of two primes before the easy paths.
    let unit = "\
int f(unsigned long x, unsigned long y, int z) {
    if (z == 5)
        return 5;
    if (z == 9)
        return 9;
    if (x > 1 && y > 1 && x < 0x100000000 && y < 0x100000000 && x * y == 2654435761ul * 3266489917ul)
        return 1;
    return 0;
}
";
    let bench = Bench::new(&[("hard.c", unit)]);
    let explore = "test hard.c --fn f --json --jobs 1 --strategy dfs --solver-timeout 40ms --solver-memory 256M";
    let (first, second) = ("40 ms and 256 MiB".to_owned(), "80 ms and 512 MiB".to_owned());
    let reason = "solver could not decide: time limit";
    let reported = |ran: &crate::support::Ran| {
        let reasons = ran.json()["reasons"].as_array().expect("reasons").clone();
        let of = reasons.into_iter().find(|entry| entry["what"].as_str().is_some_and(|what| what.starts_with(reason)));
        of.map(|entry| entry["count"].clone())
    };

    let whole = bench.tine(&format!("{explore} --out whole --solver-log whole.smt2"));
    let limits = given_up(&bench, "whole.smt2");
    let n_whole = |limits: &[String], of: &String| limits.iter().filter(|one| *one == of).count();
    assert_eq!((n_whole(&limits, &first), n_whole(&limits, &second)), (1, 1), "{limits:?}");
    assert_eq!(limits.last(), Some(&second), "at the end: {limits:?}");
    assert_eq!(reported(&whole), Some(1.into()), "{whole}");

    let runs = whole.json()["runs"].as_u64().expect("runs") - 1;
    let cut = bench.tine(&format!("{explore} --out cut --solver-log cut.smt2 --max-runs {runs}"));
    let limits = given_up(&bench, "cut.smt2");
    assert_eq!((n_whole(&limits, &first), n_whole(&limits, &second)), (1, 0), "{limits:?}");
    // Without a second attempt, the first result counts.
    assert_eq!((reported(&cut), cut.json()["verdict"].as_str()), (Some(1.into()), Some("incomplete")), "{cut}");

    let resumed = bench.tine(&format!("resume cut --json --solver-log cut.smt2 --max-runs {}", runs + 10));
    let limits = given_up(&bench, "cut.smt2");
    assert_eq!((n_whole(&limits, &first), n_whole(&limits, &second)), (1, 1), "{limits:?}");
    assert_eq!(reported(&resumed), Some(1.into()), "{resumed}");
}

/// The last decision is easy by itself, but follows one that takes the solver too long. An input for the last decision
/// alone takes the same path, which a run of it shows.
#[test]
fn part_of_a_path_may_be_enough() {
    let unit = "\
int f(unsigned long x) {
    unsigned long h = (x * 0x9e3779b97f4a7c15 ^ x >> 7) % 1000003 * (x | 1) % 999983 * (x + 77) % 999979;
    if (h == 12345)
        return 0;
    if ((x & 255) == 77)
        return 1;
    return 2;
}
";
    let bench = Bench::new(&[("unit.c", unit)]);
    let every = tiers(&bench).join(",");
    let ran = bench.tine(&format!("test unit.c --fn f --json --out out --solver-timeout 1ms --no-tier {every}"));
    assert_eq!(ran.code, Some(0), "{ran}");
    let summary = ran.json();
    assert!(summary["solver"]["arrived"].as_u64() >= Some(1), "{ran}");
    assert!(summary["branches_covered"].as_u64() >= Some(3), "{ran}");
}

#[test]
fn solve_names_what_it_cannot_read() {
    let deep = "(".repeat(100_000);
    let nested = format!("(assert {}true{})", "(not ".repeat(100_000), ")".repeat(100_000));
    let bench = Bench::new(&[]);
    let help = "--solver-log";
    for (text, message) in [
        ("(set-logic QF_BV)\n(assert (foo true))\n", "line 2: `foo` is not known"),
        ("(set-logic QF_BV)\n(assert (= #x00\n", "line 2: `(` without `)`"),
        ("int main(void) { return 0; }\n", "line 1: a command stands in parentheses"),
        (&deep, "line 1: nested too deep"),
        (&nested, "line 1: nested too deep"),
        ("\n(declare-const x (_ BitVec 4294967295))", "line 2: this sort is not known"),
        ("(set-logic QF_LIA)\n(declare-const x Int)", "line 2: this sort is not known"),
        ("(declare-fun f ((_ BitVec 8)) Bool)", "line 1: `f` has parameters"),
        ("(check-sat-assuming (x))", "line 1: the command `check-sat-assuming` is not known in this form"),
        ("", "there is no `(check-sat)` in it"),
    ] {
        bench.write("bad.smt2", text);
        bench.fails("solve bad.smt2", 2, &[&format!("bad.smt2: {message}"), help]);
    }
    fs::write(bench.path("bad.smt2"), b"\x00\xff(check-sat)").expect("written");
    bench.fails("solve bad.smt2", 2, &["bad.smt2: ", "UTF-8", help]);
    bench.fails("solve nothing.smt2", 2, &["nothing.smt2"]);
}

/// One line per query: answer, place, tiers and time.
#[test]
fn solve_answers_what_others_write() {
    let bench = Bench::new(&[]);
    let text = "; hint 0 4294967295 00\n(set-logic QF_BV)\n(declare-const x (_ BitVec 32))\n(declare-const i9_4294967295_8 (_ BitVec 8))\n\
                (assert (let ((y (bvmul x x))) (= y #x00000031)))\n(check-sat)\n(get-value (x))\n\
                (push 1)\n(assert (bvult x #x00000007))\n(assert (= i9_4294967295_8 #x05))\n(check-sat)\n(pop 1)\n(check-sat)\n\
                (exit)\n(nonsense";
    bench.write("other.smt2", text);
    let solved = bench.tine("solve other.smt2 --solver-check");
    assert_eq!(solved.code, Some(0), "{solved}");
    let lines: Vec<Vec<&str>> = solved.stdout.lines().map(|line| line.split("  ").map(str::trim).collect()).collect();
    let answers: Vec<(&str, &str)> = lines.iter().map(|words| (words[0], words[1])).collect();
    assert_eq!(answers, [("sat", "line 6"), ("unsat", "line 11"), ("sat", "line 13")], "{solved}");
    let tiers = tiers(&bench);
    let named = |part: &str| {
        part.split(", ").all(|one| {
            one.split(' ').next().is_some_and(|name| name == "bitwuzla" || tiers.iter().any(|tier| tier == name))
        })
    };
    assert!(lines.iter().all(|words| words.len() == 4 && named(words[2]) && words[3].ends_with(" ms")), "{solved}");
}
