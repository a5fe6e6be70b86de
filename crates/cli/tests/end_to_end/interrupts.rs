//! Ctrl-C, and the sudden end of tine.

use std::process::{Child, Command, Stdio};

use crate::support::{Bench, MANY_PATHS, Ran, processes_of, wait_for};

pub(crate) fn signal(child: &Child, name: &str) {
    let kill = Command::new("sh").arg("-c").arg(format!("kill -{name} {}", child.id())).status();
    assert!(kill.expect("a shell").success());
}

pub(crate) fn start(bench: &Bench, arguments: &str) -> Child {
    let mut command = bench.command(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("tine starts")
}

pub(crate) fn end(child: Child) -> Ran {
    let output = child.wait_with_output().expect("tine ends");
    Ran {
        command: String::new(),
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Processor time that a process has used, in hundredths of a second.
fn cpu_ticks(process: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let after_name = text.rsplit(") ").next().unwrap_or("");
    after_name.split(' ').nth(11).and_then(|ticks| ticks.parse().ok()).unwrap_or(0)
}

#[test]
fn the_first_stops_and_summarises() {
    let bench = Bench::new(&[("unit.c", MANY_PATHS)]);
    let child = start(&bench, "test unit.c --fn f --json --out out");
    wait_for("the session", || bench.path("out/session.db").exists());
    signal(&child, "INT");
    let ran = end(child);
    let summary = ran.json();
    assert_eq!(ran.code, Some(0), "no error was found: {ran}");
    assert_eq!((&summary["verdict"], &summary["stopped"]), (&"incomplete".into(), &"interrupted".into()), "{ran}");
    assert!(ran.stdout.contains("open branches not tried: interrupted"), "{ran}");
    // The results so far are a normal session.
    let session = tine_session::Session::open(&bench.path("out")).expect("a session");
    let kept = session.cases().expect("cases that can be read");
    assert_eq!(kept.is_empty(), summary["runs"] == 0, "{ran}");
    for case in kept {
        assert_eq!(bench.tine(&format!("replay out {}", case.id)).code, Some(0));
    }
    bench.is_tidy();
}

/// One error at once, then paths without end.
const ERROR_THEN_PATHS: &str = "\
int f(int a, unsigned long x) {
    int n = 0;
    if (a == 0)
        __builtin_trap();
    for (int i = 0; i < 64; i++)
        if (x >> i & 1)
            n++;
    return n;
}
";

fn wait_for_error(bench: &Bench) {
    wait_for("an error", || {
        let session = tine_session::Session::open(&bench.path("out"));
        session.is_ok_and(|session| session.errors().is_ok_and(|errors| !errors.is_empty()))
    });
}

#[test]
fn what_was_found_until_then_counts() {
    let bench = Bench::new(&[("unit.c", ERROR_THEN_PATHS)]);
    let child = start(&bench, "test unit.c --fn f --json --out out");
    wait_for_error(&bench);
    signal(&child, "INT");
    let ran = end(child);
    assert_eq!(ran.code, Some(1), "{ran}");
    assert_eq!(ran.json()["errors"][0]["kind"], "illegal instruction", "{ran}");
}

#[test]
fn what_was_found_survives_the_death_of_tine() {
    let bench = Bench::new(&[("unit.c", ERROR_THEN_PATHS)]);
    let child = start(&bench, "test unit.c --fn f --json --out out");
    wait_for_error(&bench);
    signal(&child, "KILL");
    end(child);
    let replayed = bench.tine("replay out 1");
    assert!(replayed.stdout.contains("ended by signal 4 (illegal instruction)"), "{replayed}");
    bench.fails("test unit.c --fn f --out out", 2, &["`out` already holds a session"]);
}

/// The unit's processes end with tine, however it ends. A run with a time limit of an hour does not delay the end of
/// tine.
#[test]
fn nothing_goes_on_without_tine() {
    for (name, code) in [("INT", Some(0)), ("KILL", None)] {
        let bench = Bench::new(&[("main.c", "int main(void) { for (volatile int x = 0;;) x++; }\n")]);
        bench.compile("main.c", "program");
        let program = bench.path("program").canonicalize().expect("the program");
        let child = start(&bench, "run ./program --run-timeout 1h --out out");
        wait_for("a run", || processes_of(&program).into_iter().any(|process| cpu_ticks(process) > 5));
        signal(&child, name);
        let ran = end(child);
        assert_eq!(ran.code, code, "{ran}");
        wait_for("the end of the program", || processes_of(&program).is_empty());
    }
}

/// An interrupted run does not count: a resumed exploration repeats it.
#[test]
fn what_is_cut_off_is_done_again() {
    let text = "#include <tine.h>\n#include <unistd.h>\nint main(void) {\n    int x = tine_int(\"x\");\n    \
                while (access(\"wait\", F_OK) == 0) { }\n    if (x == 5) write(1, \"5\", 1);\n    return 0;\n}\n";
    let bench = Bench::new(&[("main.c", text), ("wait", "")]);
    bench.compile("main.c", "program");
    let program = bench.path("program").canonicalize().expect("the program");
    let child = start(&bench, "run ./program --run-timeout 1h --json --out out");
    wait_for("a run", || processes_of(&program).into_iter().any(|process| cpu_ticks(process) > 5));
    signal(&child, "INT");
    let ran = end(child);
    let summary = ran.json();
    assert_eq!((&summary["stopped"], &summary["runs"]), (&"interrupted".into(), &0.into()), "{ran}");
    assert_eq!(summary["verdict"], "incomplete", "{ran}");
    std::fs::remove_file(bench.path("wait")).expect("it is there");
    let ran = bench.tine("resume out --json");
    let summary = ran.json();
    assert_eq!((&summary["verdict"], &summary["paths"]), (&"complete".into(), &2.into()), "{ran}");
}

/// Product of two large primes, which a solver cannot factor within hours.
const FACTORS: &str = "\
int f(unsigned long x, unsigned long y) {
    if (x > 1 && y > 1 && (unsigned __int128)x * y == (unsigned __int128)10808818712792617177u * 10430779633273967791u)
        return 1;
    return 0;
}
";

/// Running Bitwuzla processes of this tine; their first argument is tine's process number.
fn solvers_of(tine: u32) -> Vec<u32> {
    let numbers = std::fs::read_dir("/proc").expect("/proc").flatten();
    let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let start = format!("tine-bitwuzla\0{tine}\0");
    let is_solver = |process: &u32| {
        std::fs::read(format!("/proc/{process}/cmdline")).is_ok_and(|line| line.starts_with(start.as_bytes()))
    };
    numbers.filter(is_solver).collect()
}

/// Solvers end with tine, however it ends, and an unanswered query does not delay that.
#[test]
fn no_solver_goes_on_without_tine() {
    for (name, code, limit) in [("INT", Some(0), ""), ("KILL", None, ""), ("", Some(0), "--max-time 2s")] {
        let bench = Bench::new(&[("unit.c", FACTORS)]);
        let child = start(&bench, &format!("test unit.c --fn f --json --solver-timeout 1h --out out {limit}"));
        let tine = child.id();
        wait_for("a query", || solvers_of(tine).into_iter().any(|process| cpu_ticks(process) > 10));
        if !name.is_empty() {
            signal(&child, name);
        }
        let begin = std::time::Instant::now();
        let ran = end(child);
        assert!(begin.elapsed().as_secs() < 30, "{:?}", begin.elapsed());
        assert_eq!(ran.code, code, "{ran}");
        wait_for("the end of the solvers", || solvers_of(tine).is_empty());
    }
}
