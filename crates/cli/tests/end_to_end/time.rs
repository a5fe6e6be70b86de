//! Virtual time: programs that sleep are explored and replayed without waiting.

use crate::support::Bench;

#[test]
fn waiting_takes_no_time() {
    let bench = Bench::new(&[("waiting.c", include_str!("programs/waiting.c"))]);
    let ran = bench.tine("run waiting.c --sym-stdin 1 --out out --cflags -w");
    assert_eq!(ran.code, Some(1), "{ran}");
    // All assertions of the program hold. The only error is the abort at its end, for one input.
    assert!(ran.stdout.contains("1 error;") && ran.stdout.contains("error: abort"), "{ran}");
    assert!(ran.stdout.contains("stdin = \"x\""), "{ran}");
    let case = ran.stdout.split("tine replay out ").nth(1).and_then(|rest| rest.split_whitespace().next());
    let replayed = bench.tine(&format!("replay out {}", case.expect("a case")));
    assert!(replayed.stdout.contains("ended by signal 6"), "{replayed}");
}

#[test]
fn the_clock_jumps_when_every_thread_waits() {
    let bench = Bench::new(&[("threads.c", include_str!("programs/sleeping_threads.c"))]);
    let ran = bench.tine("run threads.c --sym-stdin 1 --run-timeout 20s --out out");
    assert_eq!(ran.code, Some(0), "{ran}");
}

#[test]
fn waiting_for_what_cannot_come_is_blocked() {
    let bench = Bench::new(&[("blocked.c", include_str!("programs/blocked.c"))]);
    let ran = bench.tine("run blocked.c --sym-stdin 1 --run-timeout 500ms --out out --cflags -w");
    assert_eq!(ran.code, Some(1), "{ran}");
    assert_eq!(ran.stdout.matches("error: blocked forever").count(), 4, "{ran}");
    // The alarm ends the process.
    assert_eq!(ran.stdout.matches("error: killed by a signal").count(), 1, "{ran}");
    assert!(ran.stdout.contains("5 errors;"), "{ran}");
}
