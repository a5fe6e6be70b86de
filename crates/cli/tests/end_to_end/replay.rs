//! `tine replay`: the case's input, its native end, and its recorded end.
//!
//! `units.rs` checks that every kept case of every annotated unit ends natively as recorded.

use std::fs;
use std::os::fd::AsRawFd as _;

use crate::support::{Bench, Ran, ran};

/// Explores and replays the case of the first error.
fn first_error(bench: &Bench, explore: &str) -> Ran {
    let explored = bench.tine(&format!("{explore} --json --out out"));
    assert_eq!(explored.code, Some(1), "{explored}");
    let case = explored.json()["errors"][0]["case"].as_u64().expect("a case");
    bench.tine(&format!("replay out {case}"))
}

#[track_caller]
fn check(unit: &str, parts: &[&str]) {
    let bench = Bench::new(&[("unit.c", unit)]);
    let ran = first_error(&bench, "test unit.c --fn f --strategy dfs");
    let said = format!("{}{}", ran.stdout, ran.stderr);
    for part in parts {
        assert!(said.contains(part), "`{part}` is missing in: {ran}");
    }
    bench.is_tidy();
}

#[test]
fn abort() {
    check(
        "#include <stdlib.h>\nint f(int x) {\n    if (x == 321)\n        abort();\n    return 0;\n}\n",
        &["x = 321\n", "ended by signal 6 (abort)", "recorded: abort at ", "unit.c:4\n"],
    );
}

#[test]
fn assertions() {
    check(
        "#include <assert.h>\nint f(int x) {\n    assert(x != 321);\n    return 0;\n}\n",
        &["x = 321\n", "Assertion `x != 321' failed", "ended by signal 6 (abort)", "recorded: assertion failure at "],
    );
    check(
        "#include <tine.h>\nint f(int x) {\n    tine_assert(x != 321);\n    return 0;\n}\n",
        &["x = 321\n", "tine: assertion failure (x != 321) at ", "unit.c:3\n", "ended by signal 6 (abort)"],
    );
}

#[test]
fn division_by_zero() {
    check(
        "int f(int x) {\n    return 100 / (x - 321);\n}\n",
        &["x = 321\n", "tine: division by zero", "ended by signal 8 (arithmetic exception)", "unit.c:2\n"],
    );
}

/// The program continues, as it does natively, and the replay reports the error.
#[test]
fn overflow() {
    check(
        "int f(int x) {\n    return x + 321;\n}\n",
        &["tine: integer overflow", "ended with exit code 0", "recorded: signed integer overflow at "],
    );
}

#[test]
fn null_pointer() {
    check(
        "int f(int x) {\n    static int y;\n    return *(x == 321 ? (int *)0 : &y);\n}\n",
        &["x = 321\n", "tine: null pointer dereference", "ended by signal 11 (segmentation fault)"],
    );
}

#[test]
fn programs() {
    let text = "#include <stdio.h>\n#include <tine.h>\nextern void reach_error(void);\nint main(void) {\n    \
                char text[4];\n    tine_symbolic(text, 4, \"text\");\n    puts(\"hello\");\n    fflush(stdout);\n    \
                if (text[0] == 'a' && text[3] == 'd')\n        reach_error();\n    return 7;\n}\n";
    let bench = Bench::new(&[("main.c", text)]);
    bench.compile("main.c", "program");
    let ran = first_error(&bench, "run ./program");
    assert_eq!(ran.code, Some(1), "{ran}");
    for part in ["text = \"a", "hello\n", "ended by signal 6 (abort)", "recorded: reach_error at ", "main.c:10\n"] {
        assert!(ran.stdout.contains(part), "`{part}` is missing in: {ran}");
    }
    let ran = bench.tine("replay out 1");
    assert_eq!(ran.code, Some(1), "{ran}");
    assert!(ran.stdout.contains("ended with exit code 7"), "{ran}");
}

/// The program's file search does not depend on the directory of the replay.
#[test]
fn replayed_from_elsewhere() {
    let text = "#include <stdio.h>\n#include <tine.h>\nint main(void) {\n    FILE *file = fopen(\"number\", \"r\");\n    \
                int number = 0;\n    if (!file || fscanf(file, \"%d\", &number) != 1)\n        return 9;\n    \
                if (tine_int(\"x\") == number)\n        return 5;\n    return 6;\n}\n";
    let bench = Bench::new(&[("main.c", text), ("number", "4242\n")]);
    bench.compile("main.c", "program");
    let explored = bench.tine("run ./program --json --out out");
    assert_eq!(explored.json()["paths"], 2, "{explored}");
    let mut command = bench.command("");
    command.arg("replay").arg(bench.path("out")).arg("1").current_dir("/");
    let ran = ran("replay from /", &mut command);
    assert!(ran.stdout.contains("ended with exit code 6"), "{ran}");
}

#[test]
fn under_gdb() {
    let bench =
        Bench::new(&[("unit.c", "int f(int x) {\n    if (x == 321)\n        __builtin_trap();\n    return 0;\n}\n")]);
    assert_eq!(bench.tine("test unit.c --fn f --out out").code, Some(1));
    let ran = bench.tine("replay out 2 --gdb");
    if ran.code == Some(2) {
        assert!(ran.stderr.contains("install the Debian package gdb"), "{ran}");
        return;
    }
    assert!(ran.stdout.contains("SIGILL") && ran.stdout.contains("unit.c:3"), "{ran}");
    let mut command = bench.command("replay out 2 --gdb");
    command.env("PATH", bench.home());
    let without = crate::support::ran("replay without gdb", &mut command);
    assert_eq!(without.code, Some(2), "{without}");
    assert!(without.stderr.contains("`gdb` not found"), "{without}");
}

/// Writes a file, removes another, creates a third and starts a process, for one input.
const HARMFUL: &str = "\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <tine.h>
int main(void) {
    if (tine_int(\"x\") != 321)
        return 0;
    char line[100] = \"\";
    FILE *file = fopen(\"written\", \"a\");
    if (!file || fputs(\"more\\n\", file) < 0 || fclose(file))
        return 2;
    file = fopen(\"written\", \"r\");
    while (fgets(line, sizeof line, file)) { }
    if (strcmp(line, \"more\\n\"))
        return 3;
    unlink(\"removed\");
    file = fopen(\"new\", \"w\");
    if (!file)
        return 4;
    printf(\"status %d\\n\", system(\"exit 7\"));
    fflush(stdout);
    abort();
}
";

/// A replay does not change the user's files unless requested. The program sees its own writes in either case.
#[test]
fn replays_do_no_harm() {
    let bench = Bench::new(&[("main.c", HARMFUL), ("written", "before\n"), ("removed", "precious\n")]);
    bench.compile("main.c", "program");
    let files = || {
        let read = |name: &str| fs::read_to_string(bench.path(name)).ok();
        (read("written"), read("removed"), read("new"))
    };
    let before = files();
    let ran = first_error(&bench, "run ./program");
    assert_eq!(ran.code, Some(1), "{ran}");
    for part in ["ended by signal 6 (abort)", "recorded: abort at ", "the sandbox refused: ", "unlink (1×)", "--allow"]
    {
        assert!(ran.stdout.contains(part), "`{part}` is missing in: {ran}");
    }
    assert!(!ran.stdout.contains("status 1792"), "{ran}");
    assert_eq!(files(), before);
    bench.is_tidy();

    let case = ran.command.rsplit(' ').next().expect("a number").to_owned();
    let ran = bench.tine(&format!("replay out {case} --allow"));
    assert_eq!(ran.code, Some(1), "{ran}");
    assert!(ran.stdout.contains("status 1792") && !ran.stdout.contains("the sandbox refused"), "{ran}");
    assert_eq!(files(), (Some("before\nmore\n".to_owned()), None, Some(String::new())));
}

/// A unit runs in its own directory, as in the exploration.
#[test]
fn replays_of_units_do_no_harm() {
    let text = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\nint f(int x) {\n    char path[1000];\n    \
                if (x != 321 || access(\"unit.c\", F_OK) == 0)\n        return 0;\n    \
                snprintf(path, sizeof path, \"%s/precious\", getenv(\"HOME\"));\n    remove(path);\n    \
                if (fopen(\"mine\", \"w\"))\n        abort();\n    return 0;\n}\n";
    let bench = Bench::new(&[("unit.c", text)]);
    fs::write(bench.home().join("precious"), "precious\n").expect("a file");
    let ran = first_error(&bench, "test unit.c --fn f");
    assert!(ran.stdout.contains("ended by signal 6 (abort)"), "{ran}");
    assert!(bench.home().join("precious").exists() && !bench.path("mine").exists(), "{ran}");
    bench.is_tidy();
}

/// The sandbox also works under gdb, and does not stop at each system call.
#[test]
fn replays_under_gdb_do_no_harm() {
    let bench = Bench::new(&[("main.c", HARMFUL), ("written", "before\n"), ("removed", "precious\n")]);
    bench.compile("main.c", "program");
    let ran = first_error(&bench, "run ./program");
    let ran = bench.tine(&format!("{} --gdb", ran.command));
    if ran.stderr.contains("install the Debian package gdb") {
        return;
    }
    assert!(ran.stdout.contains("SIGABRT") && !ran.stdout.contains("received signal SIGSYS"), "{ran}");
    assert!(bench.path("removed").exists() && !bench.path("new").exists(), "{ran}");
}

/// A program without support for the sandbox is not started.
#[test]
fn replays_of_older_programs() {
    let bench = Bench::new(&[("main.c", HARMFUL)]);
    bench.compile("main.c", "program");
    first_error(&bench, "run ./program");
    let mut bytes = fs::read(bench.path("program")).expect("it was compiled");
    let marker = b"tine runtime, replays in the sandbox";
    while let Some(at) = bytes.windows(marker.len()).position(|part| part == marker) {
        bytes[at] = b'T';
    }
    fs::write(bench.path("program"), bytes).expect("it is ours");
    bench.fails("replay out 1", 2, &["whose replays have no sandbox", "--allow"]);
    assert_eq!(bench.tine("replay out 1 --allow").code, Some(0));
}

/// Other programs share the files that tine started with, and so do the runs that follow.
#[test]
fn status_flags_stay_in_the_run() {
    let unit = "#include <fcntl.h>\n#include <stdlib.h>\nint f(int x) {\n    int flags = fcntl(0, F_GETFL);\n    \
        if (flags & O_NONBLOCK)\n        abort();\n    fcntl(0, F_SETFL, flags | O_NONBLOCK);\n    \
        if (!(fcntl(0, F_GETFL) & O_NONBLOCK))\n        abort();\n    return x == 5;\n}\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    let explored = bench.tine("test unit.c --fn f --json --keep all --out out");
    assert_eq!((explored.code, explored.json()["divergences"].as_u64()), (Some(0), Some(0)), "{explored}");
    let (input, _end) = std::io::pipe().expect("a pipe");
    let flags = || fs::read_to_string(format!("/proc/self/fdinfo/{}", input.as_raw_fd())).expect("flags");
    let before = flags();
    let mut replay = bench.command("replay out 1");
    let replayed = ran("replay", replay.stdin(input.try_clone().expect("a copy")));
    assert_eq!(replayed.code, Some(0), "{replayed}");
    assert_eq!(flags(), before);
}
