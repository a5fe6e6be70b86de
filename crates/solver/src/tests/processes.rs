//! Both solvers run in separate processes. However such a process ends, the query is *unknown* with a reason, and the
//! next query is answered.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tine_expr::{InputView, Reason, TermId, TermPool};

use super::limits::{divisions, factors};
use crate::bitwuzla::Bitwuzla;
use crate::process::{Process, computed};
use crate::smt::{Backend, Found};
use crate::z3::Z3;
use crate::{Limits, Options};

/// A solver whose process can be inspected.
trait Served: Backend {
    fn process(&self) -> Option<&Process>;
}

impl Served for Bitwuzla {
    fn process(&self) -> Option<&Process> {
        self.process.as_ref()
    }
}

impl Served for Z3 {
    fn process(&self) -> Option<&Process> {
        self.process.as_ref()
    }
}

const NAMES: [&str; 2] = ["Bitwuzla", "Z3"];

fn solver(name: &str, limits: Limits) -> Box<dyn Served> {
    match name {
        "Bitwuzla" => Box::new(Bitwuzla::new(limits, true)),
        _ => Box::new(Z3::open(limits).unwrap()),
    }
}

fn limits(timeout_ms: u64, memory_mb: u64) -> Limits {
    Options { timeout_ms, memory_mb, ..Options::default() }.limits()
}

/// Solves `x + 1 == 5`, with and without `x * x == 5`. Repeats attempts that run out of time.
#[track_caller]
fn answers(solver: &mut dyn Served, pool: &mut TermPool) {
    let (x, one, five) = (pool.input(0, 0, 64), pool.constant(64, 1), pool.constant(64, 5));
    let (sum, product) = (pool.add(x, one), pool.mul(x, x));
    let (goal, other) = (pool.eq(sum, five), pool.eq(product, five));
    let mut known = |terms: &[TermId]| {
        let mut answers = (0..10).map(|_| solver.solve(pool, terms));
        answers.find(|found| *found != Found::Unknown(Reason::Timeout)).expect("an answer in time")
    };
    let view = InputView { input: 0, offset: 0, width: 64 };
    assert_eq!(known(&[goal]), Found::Sat(vec![(view, 4)]));
    let unsat = known(&[goal, other]);
    assert!(matches!(unsat, Found::Unsat(_)), "{unsat:?}");
}

/// Sends a signal to the solver while it computes.
fn solve_and_signal(solver: &mut dyn Served, pool: &mut TermPool, signal: i32) -> Found {
    let hard = factors(pool);
    answers(solver, pool);
    let process = solver.process().expect("it has just answered");
    let (id, before) = (process.id(), process.computed());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while computed(id) < before + Duration::from_millis(50) {
                std::thread::sleep(Duration::from_millis(1));
            }
            // SAFETY: a system call. The process is waited for only after it has ended.
            unsafe { libc::kill(id as libc::pid_t, signal) };
        });
        solver.solve(pool, &hard)
    })
}

#[test]
fn crashes_in_the_middle_of_a_query_are_answers() {
    for name in NAMES {
        let mut pool = TermPool::new();
        let mut solver = solver(name, limits(600_000, 2048));
        for signal in [libc::SIGKILL, libc::SIGSEGV, libc::SIGABRT, libc::SIGTERM] {
            let crashed = Reason::Crashed(format!("{name} ended with signal {signal}"));
            assert_eq!(solve_and_signal(&mut *solver, &mut pool, signal), Found::Unknown(crashed));
            answers(&mut *solver, &mut pool);
        }
        assert!(solver.elsewhere() >= Duration::from_millis(200), "{name}: {:?}", solver.elsewhere());
    }
}

/// A stopped process does not check the time, so it is killed.
#[test]
fn hangs_are_answers() {
    for name in NAMES {
        let mut pool = TermPool::new();
        let mut solver = solver(name, limits(300, 2048));
        let found = solve_and_signal(&mut *solver, &mut pool, libc::SIGSTOP);
        assert_eq!(found, Found::Unknown(Reason::Timeout), "{name}");
        assert!(solver.process().is_none(), "{name}");
        answers(&mut *solver, &mut pool);
    }
}

#[test]
fn exhausted_memory_is_an_answer() {
    for name in NAMES {
        let mut pool = TermPool::new();
        let hard = divisions(&mut pool);
        let mut solver = solver(name, limits(600_000, 30));
        for _ in 0..2 {
            assert_eq!(solver.solve(&pool, &hard), Found::Unknown(Reason::Memory), "{name}");
            answers(&mut *solver, &mut pool);
        }
    }
}

/// The end of the exploration, or Ctrl-C, ends a query at once, even if the process does not react.
#[test]
fn queries_end_with_the_exploration() {
    static STOP: AtomicBool = AtomicBool::new(false);
    for name in NAMES {
        for hangs in [false, true] {
            let mut pool = TermPool::new();
            let hard = factors(&mut pool);
            let mut solver = solver(name, Options { stop: Some(&STOP), ..Options::default() }.limits());
            STOP.store(false, Ordering::Relaxed);
            answers(&mut *solver, &mut pool);
            let id = solver.process().unwrap().id() as libc::pid_t;
            let start = std::thread::scope(|scope| {
                scope.spawn(move || {
                    std::thread::sleep(Duration::from_millis(100));
                    // SAFETY: a system call. The process is waited for only after the flag below is set.
                    unsafe { libc::kill(id, if hangs { libc::SIGSTOP } else { 0 }) };
                    STOP.store(true, Ordering::Relaxed);
                });
                let start = Instant::now();
                assert_eq!(solver.solve(&pool, &hard), Found::Unknown(Reason::Timeout), "{name}");
                start
            });
            assert!(start.elapsed() < Duration::from_secs(5), "{name}: {:?}", start.elapsed());
            // No process is started for further queries.
            assert_eq!(solver.solve(&pool, &hard), Found::Unknown(Reason::Timeout));
            assert!(solver.process().is_none(), "{name}");
        }
        let until = Some(Instant::now() + Duration::from_millis(50));
        let mut solver = solver(name, Options { until, timeout_ms: 600_000, ..Options::default() }.limits());
        let (mut pool, start) = (TermPool::new(), Instant::now());
        let hard = factors(&mut pool);
        assert_eq!(solver.solve(&pool, &hard), Found::Unknown(Reason::Timeout), "{name}");
        assert!(start.elapsed() < Duration::from_secs(5), "{name}: {:?}", start.elapsed());
    }
}

/// Number of descriptors that a unit inherits.
fn n_inherited() -> usize {
    let listed = Command::new("ls").arg("/proc/self/fd").output().unwrap();
    String::from_utf8(listed.stdout).unwrap().lines().count()
}

#[test]
fn units_inherit_nothing_and_the_terminal_signals_us_alone() {
    let before = n_inherited();
    for name in NAMES {
        let mut solver = solver(name, limits(60_000, 2048));
        answers(&mut *solver, &mut TermPool::new());
        assert_eq!(n_inherited(), before, "{name}");
        let id = solver.process().unwrap().id() as libc::pid_t;
        // SAFETY: a system call that reads a number.
        assert_eq!(unsafe { libc::getpgid(id) }, id, "{name}");
        drop(solver);
        // SAFETY: as above. The call fails if the process does not exist, not even as a zombie.
        assert_eq!(unsafe { libc::getpgid(id) }, -1, "{name}");
    }
}

/// Set in the process that the test below starts. Contains the signal that ends it.
const CHILD: &str = "TINE_TEST_ORPHANS";

#[test]
fn solvers_die_with_us() {
    if let Ok(signal) = std::env::var(CHILD) {
        let mut solvers = NAMES.map(|name| solver(name, limits(60_000, 2048)));
        for solver in &mut solvers {
            answers(&mut **solver, &mut TermPool::new());
            println!("\nprocess {}", solver.process().unwrap().id());
        }
        // SAFETY: a system call that ends this process.
        unsafe { libc::kill(libc::getpid(), signal.parse().unwrap()) };
        std::thread::sleep(Duration::from_secs(60));
    }
    for signal in [libc::SIGABRT, libc::SIGKILL] {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "--nocapture", "tests::processes::solvers_die_with_us"]);
        let child = command.env(CHILD, signal.to_string()).output().unwrap();
        assert_eq!(child.status.signal(), Some(signal), "{child:?}");
        let printed = String::from_utf8(child.stdout).unwrap();
        let processes: Vec<&str> = printed.lines().filter_map(|line| line.strip_prefix("process ")).collect();
        assert_eq!(processes.len(), NAMES.len(), "{printed}");
        for id in processes {
            // A process that has ended may still be a zombie until its new parent waits for it.
            let lives = || fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
            let deadline = Instant::now() + Duration::from_secs(60);
            while lives() {
                assert!(Instant::now() < deadline, "process {id} lives");
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }
}
