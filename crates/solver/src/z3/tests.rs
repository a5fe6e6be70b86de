//! Replacements for Z3 that behave differently. `tests/processes.rs` has the tests that both solvers share.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::*;
use crate::Options;
use crate::tests::limits::{divisions, factors};

/// A program in place of Z3. Started a second time, it runs Z3.
struct Pretender(PathBuf);

impl Pretender {
    fn new(name: &str, script: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("tine-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let text = format!("#!/bin/sh\nif mkdir \"$0.once\" 2>/dev/null; then\n{script}\nelse exec z3 \"$@\"\nfi\n");
        fs::write(folder.join("z3"), text).unwrap();
        fs::set_permissions(folder.join("z3"), fs::Permissions::from_mode(0o755)).unwrap();
        Self(folder)
    }

    fn z3(&self, limits: Limits) -> Z3 {
        Z3::new(self.0.join("z3").into(), limits)
    }
}

impl Drop for Pretender {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn limits(timeout_ms: u64, memory_mb: u64) -> Limits {
    Options { timeout_ms, memory_mb, ..Options::default() }.limits()
}

/// Solves `x + 1 == 5`, with and without `x * x == 5`, and must get the right answers. Repeats attempts that run out of
/// time.
fn answers_again(z3: &mut Z3, case: &str) {
    let mut pool = TermPool::new();
    let (x, one, five) = (pool.input(0, 0, 64), pool.constant(64, 1), pool.constant(64, 5));
    let (sum, product) = (pool.add(x, one), pool.mul(x, x));
    let (goal, other) = (pool.eq(sum, five), pool.eq(product, five));
    let view = InputView { input: 0, offset: 0, width: 64 };
    assert_eq!(known(z3, &pool, &[goal]), Found::Sat(vec![(view, 4)]), "{case}");
    assert_eq!(known(z3, &pool, &[goal, other]), Found::Unsat(Vec::new()), "{case}");
}

fn known(z3: &mut Z3, pool: &TermPool, terms: &[TermId]) -> Found {
    let mut answers = (0..10).map(|_| z3.solve(pool, terms));
    answers.find(|found| *found != Found::Unknown(Reason::Timeout)).unwrap_or(Found::Unknown(Reason::Timeout))
}

/// Returns the answer to a query whose process runs this script.
fn said(script: &str, timeout_ms: u64) -> Reason {
    let pretender = Pretender::new("pretender", script);
    let mut z3 = pretender.z3(limits(timeout_ms, 2048));
    let mut pool = TermPool::new();
    let (x, zero) = (pool.input(0, 0, 8), pool.constant(8, 0));
    let goal = pool.ult(zero, x);
    let Found::Unknown(reason) = z3.solve(&pool, &[goal]) else { panic!("an answer of {script}") };
    assert!(Path::new(&pretender.0.join("z3.once")).exists(), "{script} did not run");
    answers_again(&mut z3, script);
    reason
}

#[test]
fn programs_that_are_no_solver_are_no_end() {
    const LATER: u64 = 600_000;
    let crashed = |message: &str| Reason::Crashed(message.to_owned());
    let replies = |reply: &str| format!("while read -r line; do case $line in *tine-last*) {reply};; esac; done");
    let both = |reply: &str| replies(&format!("{reply}; echo tine-last"));
    assert_eq!(said("exit 1", LATER), crashed("Z3 ended with exit status 1"));
    assert_eq!(said("exit 0", LATER), crashed("Z3 ended with exit status 0"));
    assert_eq!(said("echo no idea >&2; exit 3", LATER), crashed("Z3 ended with exit status 3: no idea"));
    assert_eq!(said(&replies("kill -SEGV $$"), LATER), crashed("Z3 ended with signal 11"));
    assert_eq!(said(&replies("kill -ABRT $$"), LATER), crashed("Z3 ended with signal 6"));
    assert_eq!(said("exit 101", LATER), Reason::Memory);
    assert_eq!(said(&both("echo '(error \"out of memory\")'"), LATER), Reason::Memory);
    assert_eq!(said(&both("echo garbage"), LATER), crashed("Z3 printed \"garbage\""));
    assert_eq!(said(&both("echo sat"), LATER), crashed("Z3 printed \"sat\""));
    assert_eq!(said(&both("echo '(error \"line 1\")'"), LATER), crashed("Z3: \"line 1\""));
    assert_eq!(said("yes", LATER), crashed("Z3 ended with signal 9: y"));
    assert_eq!(said("exec <&- >&- 2>&-; sleep 1000", LATER), crashed("Z3 ended with signal 9"));
    // The script neither reads nor replies. When its time is over, it and its child process are ended.
    assert_eq!(said("sleep 1000 & sleep 1000", 100), Reason::Timeout);
    assert_eq!(said(&replies("echo sat"), 100), Reason::Timeout);
}

#[test]
fn what_cannot_be_started_is_no_end() {
    let mut z3 = Z3::new("/dev/null".into(), limits(1000, 0));
    let mut pool = TermPool::new();
    let (x, zero) = (pool.input(0, 0, 8), pool.constant(8, 0));
    let goal = pool.ult(zero, x);
    let Found::Unknown(Reason::Crashed(why)) = z3.solve(&pool, &[goal]) else { panic!("an answer") };
    assert!(why.starts_with("Z3 cannot be started: Permission denied"), "{why}");
    z3.program = PROGRAM.into();
    answers_again(&mut z3, "a program that was there again");
}

#[test]
fn programs_are_looked_for_in_the_path() {
    assert!(is_in(OsStr::new("/nowhere:/bin"), "sh") && !is_in(OsStr::new("/nowhere:/"), "sh"));
    // A folder, and a file that is not executable.
    assert!(!is_in(OsStr::new("/"), "bin") && !is_in(OsStr::new("/etc"), "passwd"));
}

/// The kernel limits memory that Z3 does not count.
#[test]
fn the_kernel_limits_memory() {
    let mut pool = TermPool::new();
    let hard = divisions(&mut pool);
    let mut z3 = Z3::new(PROGRAM.into(), limits(600_000, 0));
    let mut command = Command::new(PROGRAM);
    process::restrict(command.arg("-in"), Some(100 << 20));
    z3.process = Some(Process::start(command).unwrap());
    assert_eq!(z3.solve(&pool, &hard), Found::Unknown(Reason::Memory));
    answers_again(&mut z3, "after");
}

#[test]
fn literals_of_both_bases() {
    assert_eq!(literal("#x0a"), Some(10));
    assert_eq!(literal("#b101"), Some(5));
    assert_eq!(literal("true"), None);
}

/// At the end of the exploration, a process that ignores both commands and time limits is killed without a delay.
#[test]
fn nobody_waits_in_the_end() {
    static STOP: AtomicBool = AtomicBool::new(false);
    let mut pool = TermPool::new();
    let terms = factors(&mut pool);
    let deaf = Pretender::new("deaf", "exec sleep 1000");
    let mut z3 = deaf.z3(Options { stop: Some(&STOP), timeout_ms: 600_000, ..Options::default() }.limits());
    let start = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            STOP.store(true, Ordering::Relaxed);
        });
        assert_eq!(z3.solve(&pool, &terms), Found::Unknown(Reason::Timeout));
    });
    assert!(z3.process.is_none());
    // There are no further queries, and no process is started for them.
    assert_eq!(z3.solve(&pool, &terms), Found::Unknown(Reason::Timeout));
    assert!(z3.process.is_none());
    STOP.store(false, Ordering::Relaxed);
    answers_again(&mut z3, "stopped");

    let deaf = Pretender::new("deaf-at-the-end", "exec sleep 1000");
    let until = Some(Instant::now() + Duration::from_millis(50));
    let mut z3 = deaf.z3(Options { until, timeout_ms: 600_000, ..Options::default() }.limits());
    assert_eq!(z3.solve(&pool, &terms), Found::Unknown(Reason::Timeout));
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}
