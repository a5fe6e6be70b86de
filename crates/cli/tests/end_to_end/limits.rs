//! Limits hold whatever the unit does: time, memory, inputs, and limits of the system.

use std::time::{Duration, Instant};

use crate::support::{Bench, wait_for};

/// Many inputs, and sums that depend on all of them.
const MANY_INPUTS: &str = "\
#include <stdlib.h>
#include <tine.h>
int main(void) {
    int s = 0;
    for (int i = 0; i < 20000; i++)
        s += tine_int(\"i\") == 5;
    if (s == 3)
        abort();
    return 0;
}
";

/// Runs a shell script that sets limits first. `$TINE` is the tine to test.
fn limited(bench: &Bench, script: &str) -> crate::support::Ran {
    let tine = bench.command("");
    let mut shell = std::process::Command::new("sh");
    shell.arg("-c").arg(script).current_dir(bench.path(".")).env("TINE", tine.get_program());
    for (name, value) in tine.get_envs() {
        shell.env(name, value.unwrap_or_default());
    }
    crate::support::ran(script, &mut shell)
}

#[test]
fn time_and_memory_hold_with_many_inputs() {
    const MAX_TIME: Duration = Duration::from_secs(3);
    let bench = Bench::new(&[("main.c", MANY_INPUTS)]);
    bench.compile("main.c", "program");
    let start = Instant::now();
    let mut tine = bench.command("run ./program --max-time 3s --memory 128M --json --out out");
    let mut child = tine.stdout(std::process::Stdio::null()).spawn().expect("tine starts");
    let mut peak = 0;
    wait_for("the end", || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kb = line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok());
        peak = peak.max(kb.unwrap_or(0));
        child.try_wait().expect("it is ours").is_some()
    });
    assert!(start.elapsed() < 3 * MAX_TIME, "a busy machine may take longer: {:?}", start.elapsed());
    assert!((1..512 << 10).contains(&peak), "{peak} kB");
    let summary = tine_session::Session::open(&bench.path("out")).expect("a session").summary().expect("it is read");
    let summary = summary.expect("it ended by itself");
    assert!(summary.time_ms < 2 * MAX_TIME.as_millis() as u64, "{} ms", summary.time_ms);
    assert!(summary.runs > 0 && !summary.complete);
    bench.is_tidy();
}

/// Code before `main` counts, too, and can be interrupted.
#[test]
fn time_is_limited_before_main() {
    let text = "__attribute__((constructor)) static void slow(void) { for (volatile int x = 0;;) x++; }\n\
                int main(void) { return 0; }\n";
    let bench = Bench::new(&[("main.c", text)]);
    bench.compile("main.c", "program");
    let start = Instant::now();
    bench.fails("run ./program --max-time 500ms --out out", 2, &["ended before", "--max-time"]);
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
}

/// A compiler that does not end is killed with all its child processes.
#[test]
fn building_is_limited_by_its_own_time() {
    let bench = Bench::new(&[("unit.c", "#include \"pipe\"\nint f(int x) { return x; }\n")]);
    let pipe = std::process::Command::new("mkfifo").arg(bench.path("pipe")).status();
    assert!(pipe.expect("mkfifo").success());
    let start = Instant::now();
    let ran = bench.tine("test unit.c --fn f --build-timeout 1s --out out");
    assert_eq!(ran.code, Some(3), "{ran}");
    assert!(ran.stderr.contains("building took longer than 1s") && ran.stderr.contains("--build-timeout"), "{ran}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    // A process that still held the pipe open would let this write succeed.
    let wakes = limited(&bench, "timeout 1 sh -c 'echo > pipe'; echo $?");
    assert_eq!(wakes.stdout, "124\n", "nothing reads it any more: {wakes}");
    bench.is_tidy();
}

/// A run that makes many requests, and then does something else until its time is up, does not have unbounded requests.
#[test]
fn many_inputs_do_not_hide_what_follows() {
    let text = "\
#include <tine.h>
#include <stdlib.h>
static int a[2000];
int main(void) {
    for (int i = 0; i < 2000; i++)
        a[i] = tine_int(\"a\");
    if (a[0] == 7)
        abort();
    for (volatile int n = 0;;)
        n++;
}
";
    let bench = Bench::new(&[("main.c", text)]);
    bench.compile("main.c", "program");
    let ran = bench.tine("run ./program --run-timeout 200ms --out out");
    assert_eq!(ran.code, Some(1), "{ran}");
    assert!(ran.stdout.contains("error: abort") && ran.stdout.contains("error: endless loop"), "{ran}");
}

/// More inputs than fit 16 bits are stored, exported and replayed.
#[test]
fn a_suite_has_every_input() {
    let text = "\
int __VERIFIER_nondet_int(void);
void reach_error(void);
static int a[100000];
int main(void) {
    for (int i = 0; i < 100000; i++)
        a[i] = __VERIFIER_nondet_int();
    if (a[99999] == 12345)
        reach_error();
    return 0;
}
";
    let bench = Bench::new(&[("main.c", text)]);
    bench.compile("main.c", "program");
    let ran = bench.tine("run ./program --max-time 60s --run-timeout 20s --testcomp suite --out out");
    assert_eq!(ran.code, Some(1), "{ran}");
    let session = tine_session::Session::open(&bench.path("out")).expect("a session");
    let case = session.errors().expect("errors")[0].case;
    let replayed = bench.tine(&format!("replay out {case}"));
    assert_eq!(replayed.code, Some(1), "{}", replayed.stderr);
    let files = std::fs::read_dir(bench.path("suite")).expect("a suite").flatten();
    let contents: Vec<String> = files.map(|file| std::fs::read_to_string(file.path()).unwrap_or_default()).collect();
    let counts: Vec<usize> = contents.iter().map(|text| text.matches("<input").count()).filter(|n| *n > 0).collect();
    assert!(!counts.is_empty() && counts.iter().all(|count| *count == 100_000), "{counts:?}");
}

/// The user can change limits of the system: each failure names the limit.
#[test]
fn small_limits_of_the_system_are_named() {
    let text = "#include <tine.h>\nint main(void) { return tine_int(\"x\") == 5; }\n";
    let bench = Bench::new(&[("main.c", text)]);
    bench.compile("main.c", "program");
    for limit in ["-v 2000000", "-n 12", "-f 8", "-s 128"] {
        let ran = limited(
            &bench,
            &format!("ulimit {limit}; \"$TINE\" run ./program --out out; code=$?; rm -rf out; exit $code"),
        );
        assert!(matches!(ran.code, Some(0 | 2)), "ulimit {limit}: {ran}");
        assert!(!ran.stderr.contains("panicked") && !ran.stderr.contains("bug in tine"), "ulimit {limit}: {ran}");
        if ran.code == Some(2) {
            assert!(ran.stderr.contains("= help:"), "ulimit {limit}: {ran}");
        }
    }
}

#[test]
fn resuming_what_is_finished_has_its_exit_code() {
    let bench = Bench::new(&[("unit.c", crate::support::TWO_ERRORS)]);
    assert_eq!(bench.tine("test unit.c --fn f --out out").code, Some(1));
    let ran = bench.tine("resume out");
    assert_eq!(ran.code, Some(1), "{ran}");
    assert!(ran.stdout.contains("is finished"), "{ran}");
    for file in ["unit.native", "unit"] {
        std::fs::remove_file(bench.path("out").join(file)).expect("it is there");
        for command in ["resume out", "replay out 1", "graph out"] {
            let ran = bench.tine(command);
            assert!(matches!(ran.code, Some(0..=2)) && !ran.stderr.contains("bug in tine"), "{ran}");
        }
    }
}

/// A run that is cut off has not diverged: it has not reached the predicted decision yet.
#[test]
fn the_end_of_time_is_not_a_divergence() {
    let text = "\
#include <tine.h>
int main(void) {
    unsigned x = tine_int(\"x\");
    volatile int n = 0;
    for (int i = 0; i < 20; i++) {
        for (int k = 0; k < 2000000; k++)
            n++;
        if (x >> i & 1)
            n++;
    }
    return 0;
}
";
    let bench = Bench::new(&[("main.c", text)]);
    bench.compile("main.c", "program");
    for (index, strategy) in ["dfs", "auto", "random-path"].into_iter().enumerate() {
        let time = 400 + 130 * index;
        let ran = bench.tine(&format!(
            "run ./program --max-time {time}ms --run-timeout 60s --jobs 2 --strategy {strategy} --json --out {strategy}"
        ));
        let summary = ran.json();
        assert_eq!((&summary["divergences"], &summary["stopped"]), (&0.into(), &"max-time".into()), "{ran}");
    }
}

/// tine has a stack of its own. The compiler has not.
#[test]
fn limits_that_a_compiler_cannot_meet_are_named() {
    let bench = Bench::new(&[("unit.c", "int f(int x) { return x; }\n")]);
    for limit in ["-s 64", "-n 10"] {
        let ran = limited(&bench, &format!("ulimit {limit}; \"$TINE\" test unit.c --fn f --out out"));
        let name = format!("ulimit {}", &limit[..2]);
        assert!(ran.code.is_some_and(|code| (2..4).contains(&code)) && ran.stderr.contains(&name), "{limit}: {ran}");
    }
}
