//! Signals that Bitwuzla brings upon itself are an answer less; all others are as they were.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output};

use tine_expr::{InputView, Reason, TermId, TermPool};

use super::backend::Bitwuzla;
use super::ffi;
use crate::Options;
use crate::smt::{Backend, Found};

/// The faults that guard.cpp has for us, and their signals.
const FAULTS: [(i32, i32); 7] = [
    (1, libc::SIGSEGV),
    // The end of the stack.
    (2, libc::SIGSEGV),
    (3, libc::SIGABRT),
    (4, libc::SIGFPE),
    (5, libc::SIGBUS),
    (6, libc::SIGILL),
    // The end of the stack, while memory is asked for.
    (9, libc::SIGSEGV),
];
const IN_ALLOCATOR: i32 = 7;
const FROM_OUTSIDE: i32 = 8;

fn solver() -> Bitwuzla {
    Bitwuzla::new(Options { timeout_ms: 600_000, ..Options::default() }.limits(), true).unwrap()
}

/// `3x + y == 22`, `x == 4`, and either `y == 10` or `y == 11`.
fn questions(pool: &mut TermPool) -> [Vec<TermId>; 2] {
    let (x, y) = (pool.input(0, 0, 64), pool.input(1, 0, 64));
    let [three, four, ten, eleven, all] = [3, 4, 10, 11, 22].map(|value| pool.constant(64, value));
    let product = pool.mul(x, three);
    let sum = pool.add(product, y);
    let path = [pool.eq(sum, all), pool.eq(x, four)];
    [ten, eleven].map(|last| vec![path[0], path[1], pool.eq(y, last)])
}

#[track_caller]
fn answers_rightly(solver: &mut Bitwuzla, pool: &TermPool, questions: &[Vec<TermId>; 2]) {
    let view = |input| InputView { input, offset: 0, width: 64 };
    assert_eq!(solver.solve(pool, &questions[0]), Found::Sat(vec![(view(0), 4), (view(1), 10)]));
    assert!(matches!(solver.solve(pool, &questions[1]), Found::Unsat(_)));
}

fn fault_after(n_calls: u64, fault: i32) {
    // SAFETY: sets numbers of this thread; what fails is behind the guard.
    unsafe { ffi::tine_fault_after(n_calls, fault) };
}

/// Whichever call it is: those that make terms, push, check, say values, name cores, and delete.
#[test]
fn signals_are_no_end() {
    for (fault, signal) in FAULTS {
        let mut pool = TermPool::new();
        let questions = questions(&mut pool);
        let mut n_crashes = [0; 2];
        for n_calls in 0..60 {
            let mut solver = solver();
            fault_after(n_calls, fault);
            let crashed = Found::Unknown(Reason::Crashed(format!("Bitwuzla got signal {signal}")));
            let found = [0, 1].map(|which| solver.solve(&pool, &questions[which]));
            fault_after(0, 0);
            let is_right = [matches!(found[0], Found::Sat(_)), matches!(found[1], Found::Unsat(_))];
            for which in 0..2 {
                assert!(is_right[which] || found[which] == crashed, "call {n_calls}: {found:?}");
                n_crashes[which] += u32::from(!is_right[which]);
            }
            // At most one of them, and the same solver knows better then.
            assert!(is_right[0] || is_right[1], "call {n_calls}");
            answers_rightly(&mut solver, &pool, &questions);
            // Deleting may crash, too.
            fault_after(n_calls % 3, fault);
            drop(solver);
            fault_after(0, 0);
        }
        assert!(n_crashes[0] >= 10 && n_crashes[1] >= 3, "signal {signal}: {n_crashes:?}");
    }
}

/// In a thread that is not the first, and in several at once.
#[test]
fn each_thread_has_its_own_signals() {
    std::thread::scope(|scope| {
        for (fault, _) in FAULTS {
            scope.spawn(move || {
                for n_calls in 0..30 {
                    let mut pool = TermPool::new();
                    let (mut solver, questions) = (solver(), questions(&mut pool));
                    fault_after(n_calls, fault);
                    solver.solve(&pool, &questions[0]);
                    fault_after(0, 0);
                    answers_rightly(&mut solver, &pool, &questions);
                }
            });
        }
    });
}

/// What the process does that the test below starts of itself.
const CHILD: &str = "TINE_TEST_SIGNALS";

#[expect(unconditional_recursion, reason = "the end of the stack is what is wanted")]
fn recur(n: u64) -> u64 {
    let numbers = std::hint::black_box([n; 64]);
    recur(n + 1) + numbers[n as usize % 64]
}

fn misbehave(how: &str) {
    let mut pool = TermPool::new();
    let (mut solver, questions) = (solver(), questions(&mut pool));
    // With the guard in place, and a crash behind us.
    fault_after(3, FAULTS[1].0);
    solver.solve(&pool, &questions[0]);
    answers_rightly(&mut solver, &pool, &questions);
    println!("guarded");
    match how {
        "recursion" => drop(std::hint::black_box(recur(0))),
        "abort" => std::process::abort(),
        // SAFETY: there is nothing at this address, which is the point.
        "address" => unsafe { std::ptr::without_provenance_mut::<u8>(8).write_volatile(1) },
        "allocator" => fault_after(0, IN_ALLOCATOR),
        "outside" => fault_after(0, FROM_OUTSIDE),
        _ => unreachable!("{how}"),
    }
    solver.solve(&pool, &questions[1]);
    println!("survived");
}

#[test]
fn other_signals_are_as_they_were() {
    if let Ok(how) = std::env::var(CHILD) {
        return misbehave(&how);
    }
    let child = |how: &str| -> Output {
        let name = "bitwuzla::tests::other_signals_are_as_they_were";
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "--nocapture", name]).env(CHILD, how).output().unwrap()
    };
    for (how, signal, message) in [
        ("recursion", libc::SIGABRT, "overflowed its stack"),
        ("abort", libc::SIGABRT, ""),
        ("address", libc::SIGSEGV, ""),
        ("allocator", libc::SIGABRT, "error: Bitwuzla crashed within the allocator"),
        ("outside", libc::SIGSEGV, ""),
    ] {
        let output = child(how);
        let printed = String::from_utf8_lossy(&output.stdout);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.signal(), Some(signal), "{how}: {printed}{error}");
        assert!(printed.contains("guarded") && !printed.contains("survived"), "{how}: {printed}");
        assert!(error.contains(message), "{how}: {error}");
    }
}
