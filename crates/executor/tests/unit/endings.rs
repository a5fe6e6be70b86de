//! How runs end, that the next one is unharmed, and that no other is harmed.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tine_executor::places::Places;
use tine_executor::unit::{RunEnd, Unit, UnitError, UnitOptions};
use tine_trace::event::NoteKind;
use tine_trace::outcome::ErrorKind;
use tine_trace::outcome::OutcomeKind::{
    self, Exited, Failed, OutOfMemory, Rejected, Signal, StackOverflow, Timeout, Unfinished,
};

use crate::support::{build, directory, limits, plan, start, told};

/// The program, a file that it is not to touch, and a directory that it may.
struct Endings {
    unit: Unit,
    file: PathBuf,
}

impl Endings {
    fn new(name: &str) -> Endings {
        let directory = directory(name);
        let file = directory.join("precious");
        let scratch = directory.join("scratch");
        fs::write(&file, "precious\n").expect("a file");
        fs::create_dir(&scratch).expect("a directory");
        let program = build("endings", &[]);
        let options = UnitOptions {
            scratch: Some(scratch.clone()),
            run_timeout: Duration::from_millis(500),
            output_limit: 1 << 20,
            ..UnitOptions::default()
        };
        Endings { unit: start(&program, &[&file, &scratch], options), file }
    }

    fn run(&mut self, k: i32) -> RunEnd {
        self.unit.run(&plan(k), &limits()).expect("a run")
    }

    /// Runs `k`, and then a harmless input: nothing of the first may be left.
    fn check(&mut self, k: i32, expected: (OutcomeKind, u32), output: &str) {
        let end = self.run(k);
        assert_eq!(told(&end.outcome), expected, "{k}: {}", String::from_utf8_lossy(&self.unit.output()));
        assert_eq!(String::from_utf8_lossy(&self.unit.output()), output, "{k}");
        let after = self.run(0);
        assert_eq!(told(&after.outcome), (Exited, 0), "after {k}");
        assert_eq!(fs::read_to_string(&self.file).expect("the file is there"), "precious\n");
    }

    fn refused(&self) -> Vec<u32> {
        let notes = self.unit.segment().notes();
        notes.iter().filter(|note| note.kind == NoteKind::Refused as u8).map(|note| note.detail).collect()
    }
}

#[test]
fn exits() {
    let mut endings = Endings::new("exits");
    endings.check(0, (Exited, 0), "");
    endings.check(1, (Exited, 300 & 0xff), "");
    endings.check(2, (Exited, 7), "");
    endings.check(3, (Exited, 8), "");
    endings.check(4, (Exited, 42), "");
    endings.check(5, (Exited, 43), "");
    endings.check(6, (Exited, 9), "");
    endings.check(44, (Rejected, 0), "");
}

#[test]
fn signals() {
    let mut endings = Endings::new("signals");
    endings.check(7, (Signal, 6), "half");
    endings.check(8, (StackOverflow, 0), "");
    endings.check(12, (Exited, 111), "");
    endings.check(13, (Exited, 4), "caught 10\n");
    endings.check(23, (Signal, 9), "");
    endings.check(24, (Signal, 15), "");
    endings.check(25, (Signal, 31), "");
    endings.check(35, (Exited, 10), "");
    endings.check(43, (Exited, 111), "");
    endings.check(48, (Signal, 24), "");
    endings.check(49, (Exited, 14), "caught 24\n");
}

/// Where a run ended leads to the line of the program, not to the runtime or the C library.
#[test]
fn frames_name_the_place() {
    let mut endings = Endings::new("frames");
    let places = Places::of(&build("endings", &[]));
    let source = include_str!("programs/endings.c");
    for k in [7, 9, 21] {
        let outcome = endings.run(k).outcome;
        let frames = &outcome.frames[..outcome.n_frames as usize];
        let place = places.first(frames).unwrap_or_else(|| panic!("{k}: {frames:x?}"));
        let line = 1 + source.lines().position(|line| line.contains(&format!("case {k}:"))).expect("the case");
        assert_eq!((place.file.ends_with("endings.c"), place.line as usize), (true, line), "{k}: {place:?}");
    }
    let overflow = endings.run(8).outcome;
    let frames = &overflow.frames[..overflow.n_frames as usize];
    assert_eq!(&*places.first(frames).expect("a place").function, "overflow");
}

/// Wherever a function is stopped, it is that function, in code that the compiler made, too.
#[test]
fn code_without_a_line_has_a_place() {
    let mut endings = Endings::new("places");
    let places = Places::of(&build("endings", &[]));
    let is_main = |address: &u64| places.first(&[*address]).is_some_and(|place| &*place.function == "main");
    let stops: Vec<u64> = [7, 9, 21].iter().flat_map(|k| endings.run(*k).outcome.frames).filter(is_main).collect();
    let (first, last) = (*stops.iter().min().expect("a stop"), *stops.iter().max().expect("a stop"));
    assert!(last - first > 100, "{first:x} to {last:x}");
    for address in first..last {
        assert!(places.first(&[address]).is_some(), "{address:x}");
    }
}

/// An exploration that is over does not wait for a run that goes on forever.
#[test]
fn runs_end_when_nobody_waits_for_them() {
    static STOP: AtomicBool = AtomicBool::new(false);
    let program = build("endings", &[]);
    let soon = Duration::from_millis(100);
    let options =
        |stop, until| UnitOptions { run_timeout: Duration::from_secs(60), stop, until, ..UnitOptions::default() };
    let run = |options| {
        let mut unit = start(&program, &["/".as_ref(), "/".as_ref()], options);
        let start = Instant::now();
        let end = unit.run(&plan(9), &limits()).expect("a run");
        assert_eq!((told(&end.outcome), end.replaced), ((Unfinished, 0), true));
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    };
    run(options(None, Some(Instant::now() + soon)));
    std::thread::scope(|threads| {
        threads.spawn(|| {
            std::thread::sleep(soon);
            STOP.store(true, Ordering::Relaxed);
        });
        run(options(Some(&STOP), None));
    });
}

#[test]
fn time_is_kept() {
    // 47 has a handler for every signal that ends it: none is for the engine to call.
    for k in [9, 10, 34, 47] {
        let mut endings = Endings::new(&format!("time-{k}"));
        let start = Instant::now();
        endings.check(k, (Timeout, 0), "");
        let took = start.elapsed();
        assert!(took >= Duration::from_millis(500) && took < Duration::from_secs(5), "{k}: {took:?}");
    }
}

/// Sleeping takes no time.
#[test]
fn sleeping_is_not_waited_for() {
    Endings::new("sleeping").check(33, (Exited, 0), "");
}

#[test]
fn memory_is_limited() {
    const INVALID_FREE: u32 = ErrorKind::InvalidFree as u32;
    let mut endings = Endings::new("memory");
    endings.check(20, (Exited, 0), "Cannot allocate memory\n");
    endings.check(21, (OutOfMemory, 0), "");
    endings.check(29, (Failed, ErrorKind::DoubleFree as u32), "free(): double free detected\n");
    endings.check(30, (Failed, INVALID_FREE), "free(): invalid pointer\n");
    endings.check(31, (Exited, 3), "");
    endings.check(32, (Exited, 6), "");
}

/// Memory that the allocator does not know of is seen by its size.
#[test]
fn mapped_memory_is_limited() {
    let mut endings = Endings::new("mapped");
    let options = UnitOptions { run_timeout: Duration::from_secs(60), ..UnitOptions::default() };
    let program = build("endings", &[]);
    endings.unit = start(&program, &[&endings.file.clone(), &endings.file.clone()], options);
    let mut limits = limits();
    limits.memory = 16 << 20;
    let end = endings.unit.run(&plan(22), &limits).expect("a run");
    assert_eq!(told(&end.outcome), (OutOfMemory, 0));
    assert_eq!(told(&endings.run(0).outcome), (Exited, 0));
}

#[test]
fn threads() {
    let mut endings = Endings::new("threads");
    endings.check(14, (Exited, 21), "");
    endings.check(15, (Exited, 31), "");
    endings.check(16, (Signal, 11), "");
    endings.check(17, (Exited, 5), "");
    endings.check(18, (Exited, 0), "");
}

#[test]
fn kernel_state_does_not_stay() {
    let mut endings = Endings::new("kernel");
    endings.check(11, (Exited, 2), "");
    assert!(endings.run(26).replaced);
    assert_eq!(told(&endings.run(27).outcome), (Exited, 0));
    endings.check(28, (Exited, 0), "");
    std::thread::sleep(Duration::from_millis(1200));
    assert_eq!(told(&endings.run(0).outcome), (Exited, 0), "the alarm went with its process");
}

#[test]
fn output_is_limited() {
    let mut endings = Endings::new("output");
    let end = endings.run(19);
    assert_eq!(told(&end.outcome), (Signal, 25));
    assert_eq!(end.output_len, 1 << 20);
    assert!(endings.unit.output().starts_with(b"an endless story\n"));
    assert_eq!(told(&endings.run(0).outcome), (Exited, 0));
    assert_eq!(endings.unit.output(), b"");
}

#[test]
fn harm_is_refused_and_shown() {
    let mut endings = Endings::new("harm");
    assert_eq!(endings.unit.protections().missing(false), Vec::<&str>::new(), "this kernel has no sandbox");
    let end = endings.run(40);
    let output = String::from_utf8(endings.unit.output()).expect("text");
    assert_eq!(told(&end.outcome), (Exited, 11), "{output}");
    // What it opened to write to was a copy.
    assert_eq!(output.lines().filter(|line| line.ends_with(" refused")).count(), 18, "{output}");
    assert_eq!(output.lines().filter(|line| line.ends_with(" DONE")).count(), 3, "{output}");
    assert_eq!(fs::read_to_string(&endings.file).expect("the file is there"), "precious\n");
    // execve, fork (by `clone`), kill, socket, unlink, chmod
    for number in [59, 56, 62, 41, 87, 90] {
        assert!(endings.refused().contains(&number), "{number} in {:?}", endings.refused());
    }
    endings.check(0, (Exited, 0), "");
    assert_eq!(endings.refused(), Vec::<u32>::new());
}

#[test]
fn reading_and_scratch_are_allowed() {
    let mut endings = Endings::new("allowed");
    endings.check(41, (Exited, 12), "read: precious\n");
    // Twice: what the first left is gone.
    endings.check(42, (Exited, 13), "");
    endings.check(42, (Exited, 13), "");
}

#[test]
fn failures_are_told() {
    let mut endings = Endings::new("failures");
    let end = endings.run(45);
    assert_eq!(told(&end.outcome), (Failed, 1));
    endings.check(0, (Exited, 0), "");
}

#[test]
fn stdin_is_read_again_in_each_run() {
    let directory = directory("stdin");
    let path = directory.join("stdin");
    fs::write(&path, "A").expect("a file");
    let stdin = Some(fs::File::open(&path).expect("the file"));
    let program = build("endings", &[]);
    let mut unit = start(&program, &[&path, &path], UnitOptions { stdin, ..UnitOptions::default() });
    for _ in 0..3 {
        assert_eq!(told(&unit.run(&plan(46), &limits()).expect("a run").outcome), (Exited, u32::from(b'A')));
    }
}

#[test]
fn only_programs_of_ours_are_started() {
    let missing = Unit::start("/no/such/program".as_ref(), &[], UnitOptions::default());
    assert!(matches!(missing, Err(UnitError::Program { .. })), "{missing:?}");
    let foreign = Unit::start("/bin/true".as_ref(), &[], UnitOptions::default());
    assert!(matches!(foreign, Err(UnitError::NotInstrumented { .. })), "{foreign:?}");
}

#[test]
fn a_program_that_does_not_come_to_main_is_told() {
    for (flag, kind) in [("-DEXITS", "EndedEarly"), ("-DHANGS", "StartTimeout"), ("-DCRASHES", "EndedEarly")] {
        let program = build("constructor", &[flag]);
        let start_timeout = Duration::from_millis(if flag == "-DHANGS" { 300 } else { 30_000 });
        let options = UnitOptions { start_timeout, ..UnitOptions::default() };
        let error = Unit::start(&program, &[], options).expect_err("no unit");
        assert!(format!("{error:?}").starts_with(kind), "{flag}: {error:?}");
    }
}

#[test]
fn processes_can_be_allowed() {
    let program = build("processes", &[]);
    let mut unit = start(&program, &[], UnitOptions { allow_processes: true, ..UnitOptions::default() });
    assert_eq!(unit.protections().missing(true), Vec::<&str>::new());
    for (k, status) in [(0, "500"), (1, "6"), (2, "b"), (0, "500")] {
        let end = unit.run(&plan(k), &limits()).expect("a run");
        assert_eq!(told(&end.outcome), (Exited, 3));
        assert_eq!(String::from_utf8_lossy(&unit.output()), format!("hello\nsystem 0\nchild {status}\n"));
    }
}

/// The unit's processes are killed from outside: they are started again, and no run is wrong.
#[test]
fn the_processes_may_be_killed() {
    let program = build("trivial", &["-DKILLED"]);
    let mut unit = start(&program, &[], UnitOptions::default());
    for k in 0..200 {
        if k % 10 == 5 {
            for process in processes_of(&program) {
                // SAFETY: sends a signal to processes of this test's own program.
                unsafe { libc::kill(process, libc::SIGKILL) };
            }
        }
        let end = unit.run(&plan(k), &limits()).expect("a run");
        assert_eq!(told(&end.outcome), (Exited, k as u32));
    }
}

fn processes_of(program: &std::path::Path) -> Vec<i32> {
    let processes = fs::read_dir("/proc").expect("/proc").flatten();
    let runs_it = |pid: &i32| fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|path| path == program);
    processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(runs_it).collect()
}
