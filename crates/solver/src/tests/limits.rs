//! Limits are observed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tine_expr::{Answer, Reason, TermId, TermPool};

use super::{BACKENDS, ask};
use crate::{Backend, Options, plain};

/// Factors of the product of two large primes, which no solver finds within hours.
pub(crate) fn factors(pool: &mut TermPool) -> Vec<TermId> {
    let (x, y) = (pool.input(0, 0, 64), pool.input(1, 0, 64));
    let (wide_x, wide_y) = (pool.zext(x, 128), pool.zext(y, 128));
    let product = pool.mul(wide_x, wide_y);
    let semiprime = pool.constant(128, 10_808_818_712_792_617_177 * 10_430_779_633_273_967_791);
    let one = pool.constant(64, 1);
    vec![pool.ult(one, x), pool.ult(one, y), pool.eq(product, semiprime)]
}

#[test]
fn time_limits_hold() {
    for backend in BACKENDS {
        let mut pool = TermPool::new();
        let terms = factors(&mut pool);
        let mut solver = plain(&Options { backend, timeout_ms: 20, ..Options::default() }).unwrap();
        let start = Instant::now();
        let answer = ask(&mut solver, &mut pool, &terms);
        assert_eq!(answer, Answer::Unknown(Reason::Timeout), "{backend:?}");
        assert!(start.elapsed() < Duration::from_secs(5), "{backend:?} took {:?}", start.elapsed());
        // The solver still answers later queries, at least sometimes within 20 ms on a busy machine.
        let (x, k) = (pool.input(0, 0, 64), pool.constant(64, 5));
        let goal = pool.eq(x, k);
        let mut is_sat = || matches!(ask(&mut solver, &mut pool, &[goal]), Answer::Sat(_));
        assert!((0..10).any(|_| is_sat()), "{backend:?}");
    }
}

/// A query ends when the exploration ends, whatever its time limit.
#[test]
fn the_end_of_all_is_the_end_of_a_query() {
    static STOP: AtomicBool = AtomicBool::new(false);
    for backend in BACKENDS {
        let mut pool = TermPool::new();
        let terms = factors(&mut pool);
        let until = Some(Instant::now() + Duration::from_millis(50));
        let options = Options { backend, until, timeout_ms: 600_000, ..Options::default() };
        assert_eq!(ask(&mut plain(&options).unwrap(), &mut pool, &terms), Answer::Unknown(Reason::Timeout));
    }
    for backend in [Backend::Bitwuzla, Backend::Z3, Backend::Portfolio] {
        STOP.store(false, Ordering::Relaxed);
        let mut pool = TermPool::new();
        let terms = factors(&mut pool);
        let options = Options { backend, stop: Some(&STOP), timeout_ms: 600_000, ..Options::default() };
        let mut solver = plain(&options).unwrap();
        let start = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                STOP.store(true, Ordering::Relaxed);
            });
            assert_eq!(ask(&mut solver, &mut pool, &terms), Answer::Unknown(Reason::Timeout), "{backend:?}");
        });
        assert!(start.elapsed() < Duration::from_secs(60), "{backend:?} took {:?}", start.elapsed());
    }
}

/// Divisions in 128 bits, whose clauses fill any amount of memory.
pub(crate) fn divisions(pool: &mut TermPool) -> Vec<TermId> {
    let mut terms = Vec::new();
    for k in 0..200 {
        let (x, y, z) = (pool.input(k, 0, 128), pool.input(k + 1, 0, 128), pool.input(k + 2, 0, 128));
        let (quotient, product) = (pool.udiv(x, y), pool.mul(x, z));
        let (mixed, odd) = (pool.xor(quotient, product), pool.constant(128, u128::MAX / 3 + k as u128));
        terms.push(pool.eq(mixed, odd));
    }
    terms
}

/// Set in the process with little memory that the test below starts.
const CHILD: &str = "TINE_TEST_LITTLE_MEMORY";

/// If the system provides no more memory, the query is not answered, and later queries are answered again.
#[test]
fn running_out_of_memory_is_no_end() {
    if std::env::var_os(CHILD).is_some() {
        return ask_with_little_memory();
    }
    let program = std::env::current_exe().unwrap();
    let limited = "ulimit -v 400000; exec \"$0\" --exact --nocapture tests::limits::running_out_of_memory_is_no_end";
    let mut shell = std::process::Command::new("sh");
    let child = shell.arg("-c").arg(limited).arg(&program).env(CHILD, "1").output().unwrap();
    let said = String::from_utf8_lossy(&child.stdout).into_owned() + &String::from_utf8_lossy(&child.stderr);
    assert!(child.status.success(), "{:?}: {said}", child.status);
    assert!(said.contains("first: Unknown(Memory)\n"), "{said}");
    assert!(said.contains("then: Sat("), "{said}");
}

fn ask_with_little_memory() {
    let mut pool = TermPool::new();
    let terms = divisions(&mut pool);
    let mut solver = plain(&Options { memory_mb: 0, timeout_ms: 600_000, ..Options::default() }).unwrap();
    println!("first: {:?}", ask(&mut solver, &mut pool, &terms));
    let (x, k) = (pool.input(0, 0, 64), pool.constant(64, 5));
    let goal = pool.eq(x, k);
    println!("then: {:?}", ask(&mut solver, &mut pool, &[goal]));
}

/// If Bitwuzla reaches its memory limit, the query is unknown and the next one is answered.
#[test]
fn memory_limits_hold() {
    let mut pool = TermPool::new();
    let hard = divisions(&mut pool);
    let (x, k) = (pool.input(0, 0, 64), pool.constant(64, 5));
    let easy = [pool.eq(x, k)];
    for memory_mb in (8..64).step_by(3) {
        let mut solver = plain(&Options { memory_mb, timeout_ms: 600_000, ..Options::default() }).unwrap();
        assert_eq!(ask(&mut solver, &mut pool, &hard), Answer::Unknown(Reason::Memory), "{memory_mb}");
        let answer = ask(&mut solver, &mut pool, &easy);
        assert!(matches!(answer, Answer::Sat(_)), "{memory_mb}: {answer:?}");
        drop(solver);
        let peak = peak_kb();
        assert!(peak < (memory_mb + 64) * 1024, "{peak} KiB with a limit of {memory_mb} MiB");
    }
}

/// The same while terms are created.
#[test]
fn terms_that_do_not_fit_are_no_end() {
    let mut pool = TermPool::new();
    let mut sum = pool.input(0, 0, 64);
    for k in 1..100_000 {
        let (x, odd) = (pool.input(k, 0, 64), pool.constant(64, 2 * k as u128 + 1));
        let product = pool.mul(x, odd);
        sum = pool.xor(sum, product);
    }
    let k = pool.constant(64, 5);
    let terms = [pool.eq(sum, k)];
    let (x, k) = (pool.input(0, 0, 64), pool.constant(64, 5));
    let easy = [pool.eq(x, k)];
    let mut solver = plain(&Options { memory_mb: 8, ..Options::default() }).unwrap();
    for _ in 0..2 {
        assert_eq!(ask(&mut solver, &mut pool, &terms), Answer::Unknown(Reason::Memory));
        assert!(matches!(ask(&mut solver, &mut pool, &easy), Answer::Sat(_)));
    }
}

/// Maximum memory of the children of this process.
fn peak_kb() -> u64 {
    // SAFETY: all fields are numbers, for which zero is valid.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: a system call that writes a live local variable.
    unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage) };
    usage.ru_maxrss as u64
}
