//! The start-up of a program before its first input is done once, and every run behaves as if it had done it itself.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tine_executor::unit::{Starts, Unit, UnitOptions};
use tine_trace::segment::{FLAG_START_ALWAYS_ONCE, FLAG_START_ONCE, Limits};

use crate::support::{build, directory, end_of, limits, natively, plan, start};

fn once() -> Limits {
    Limits { flags: limits().flags | FLAG_START_ONCE, ..limits() }
}

fn always_once() -> Limits {
    Limits { flags: limits().flags | FLAG_START_ALWAYS_ONCE, ..limits() }
}

fn a_file(name: &str) -> (PathBuf, PathBuf) {
    let directory = directory(name);
    let file = directory.join("words");
    std::fs::write(&file, "several words in one line of text\n").expect("a file for the program");
    (directory, file)
}

/// Splits off the first line, which differs for each start-up.
fn split(output: &[u8]) -> (String, String) {
    let text = String::from_utf8(output.to_vec()).expect("text");
    let (first, rest) = text.split_once('\n').expect("a line");
    // The engine decides the address of the heap.
    let rest = rest.lines().map(|line| line.split(" 0x").next().unwrap_or(line)).collect::<Vec<_>>().join("\n");
    (first.to_owned(), rest)
}

fn runs(unit: &mut Unit, limits: &Limits, n: i32) -> BTreeSet<String> {
    let first_line = |k| {
        unit.run(&plan(k), limits).expect("a run");
        split(&unit.output()).0
    };
    (0..n).map(first_line).collect()
}

fn scratch(directory: &Path) -> UnitOptions {
    let scratch = directory.join("scratch");
    std::fs::create_dir_all(&scratch).expect("a scratch directory");
    UnitOptions { scratch: Some(scratch), ..UnitOptions::default() }
}

#[test]
fn a_long_start_up_is_done_once_and_every_run_sees_it() {
    let program = build("startup", &[]);
    let (directory, file) = a_file("startup");
    let words = file.to_str().expect("a path of text");
    for limits in [once(), always_once()] {
        let mut unit = start(&program, &[&file], scratch(&directory));
        let mut start_ups = BTreeSet::new();
        for k in 0..100 {
            let end = unit.run(&plan(k), &limits).expect("a run");
            let (start_up, rest) = split(&unit.output());
            let (native_end, native_output) = natively(&program, &[words], k, &directory);
            assert_eq!((end_of(&end.outcome), rest), (native_end, split(&native_output).1), "{k}");
            start_ups.insert(start_up);
        }
        // On a busy machine the first forks may have been too slow to seem worthwhile.
        let starts = unit.starts();
        assert!(starts.kept == 1 && starts.forked >= 94, "{starts:?}");
        assert_eq!(start_ups.len() as u64, 100 - starts.forked);
    }
}

#[test]
fn without_being_asked_every_run_starts_anew() {
    let program = build("startup", &[]);
    let (directory, file) = a_file("anew");
    let mut unit = start(&program, &[&file], scratch(&directory));
    assert_eq!(runs(&mut unit, &limits(), 10).len(), 10);
    assert_eq!(unit.starts(), Starts::default());
}

/// State that a fork does not preserve, or would share with other runs.
#[test]
fn a_start_up_that_leaves_more_than_memory_is_done_in_every_run() {
    for flag in ["-DTHREAD", "-DWRITES", "-DTIMER", "-DPIPE", "-DSHARED"] {
        let program = build("startup", &[flag]);
        let (directory, file) = a_file(&format!("startup{flag}"));
        let mut unit = start(&program, &[&file], scratch(&directory));
        assert_eq!(runs(&mut unit, &always_once(), 6).len(), 6, "{flag}");
        assert_eq!(unit.starts(), Starts::default(), "{flag}");
    }
}

/// Output cannot be truncated if its file is unknown.
#[test]
fn a_start_up_that_closes_its_output_is_done_in_every_run() {
    let program = build("startup", &["-DSILENT"]);
    let (directory, file) = a_file("silent");
    let mut unit = start(&program, &[&file], scratch(&directory));
    assert_eq!(runs(&mut unit, &always_once(), 6).len(), 6);
    assert_eq!(unit.starts(), Starts::default());
}

/// A reset is faster than a fork.
#[test]
fn a_short_start_up_is_done_in_every_run() {
    let program = build("trivial", &[]);
    let mut unit = start(&program, &[], UnitOptions::default());
    for k in 0..100 {
        assert!(!unit.run(&plan(k), &once()).expect("a run").replaced);
    }
    assert_eq!(unit.starts(), Starts::default());
}

/// If the fork server is gone, the start-up is done again.
#[test]
fn endings_of_workers_leave_the_rest_alone() {
    let program = build("state", &[]);
    let directory = directory("ends");
    let mut unit = start(&program, &["argument".as_ref()], UnitOptions::default());
    for k in 0..330 {
        let end = unit.run(&plan(k), &always_once()).expect("a run");
        let seen = (end_of(&end.outcome), unit.output());
        assert!(seen == natively(&program, &["argument"], k, &directory), "{k}: {:?}", seen.0);
    }
    assert_eq!(unit.starts(), Starts { kept: 1, forked: 329 });
}
