//! Invalid input causes one clear error and the right exit code, and no files are written.

use std::fs;
use std::process::Stdio;

use crate::support::{Bench, MANY_PATHS, TWO_ERRORS, wait_for};

const USAGE: i32 = 2;
const UNIT: i32 = 3;

fn bench() -> Bench {
    Bench::new(&[("unit.c", TWO_ERRORS)])
}

#[test]
fn no_such_file() {
    bench().fails("test missing.c --fn f", USAGE, &["error: missing.c: no such file", "help"]);
    bench().fails("test unit.c missing.c --fn f", USAGE, &["missing.c"]);
}

#[test]
fn a_directory_is_no_file() {
    let bench = bench();
    fs::create_dir(bench.path("folder.c")).expect("a directory");
    let ran = bench.tine("test folder.c --fn f");
    assert!(matches!(ran.code, Some(USAGE | UNIT)), "{ran}");
    assert!(ran.stderr.contains("folder.c") && !bench.path("tine-out").exists(), "{ran}");
}

#[test]
fn no_such_function() {
    let bench =
        Bench::new(&[("unit.c", "static int classify(int x) { return x > 1; }\nint sort(int x) { return x; }\n")]);
    bench.fails("test unit.c --fn clasify", USAGE, &["no function `clasify` in unit.c", "did you mean `classify`"]);
    bench.fails("test unit.c --fn xyz", USAGE, &["no function `xyz` in unit.c", "it defines `classify`, `sort`"]);
    bench.write("empty.c", "int x;\n");
    bench.fails("test empty.c --fn f", USAGE, &["no function `f`", "defines nothing"]);
}

#[test]
fn a_declaration_is_no_function() {
    let bench = Bench::new(&[("unit.c", "int g(int);\nint f(int x) { return x; }\nint h(void) { return g(1); }\n")]);
    bench.fails("test unit.c --fn g", USAGE, &["no function `g`"]);
}

#[test]
fn syntax_error() {
    let bench = Bench::new(&[("unit.c", "int f(int x) {\n    return x + ;\n}\n")]);
    bench.fails("test unit.c --fn f", UNIT, &["unit.c:2:16: error: expected expression", "does not compile"]);
}

#[test]
fn the_second_file_does_not_compile() {
    let bench = Bench::new(&[("unit.c", TWO_ERRORS), ("second.c", "int g(int x) { return y; }\n")]);
    bench.fails("test unit.c second.c --fn f", UNIT, &["second.c:1:23: error: use of undeclared identifier 'y'"]);
}

#[test]
fn does_not_link() {
    let text = "int f(int x) { return x; }\n";
    let bench = Bench::new(&[("unit.c", text), ("again.c", text)]);
    bench.fails("test unit.c again.c --fn f", UNIT, &["multiple definition of `f'", "does not compile or link"]);
}

#[test]
fn unsupported_parameters_are_named() {
    let bench = Bench::new(&[("unit.c", "int f(int x, long double wide) { return x; }\n")]);
    bench.fails("test unit.c --fn f", USAGE, &["`f` takes", "long double wide", "cannot be an input", "help"]);
    // The compiler reports code that C itself forbids.
    for text in [
        "struct s; int f(struct s v) { return 0; }\n",
        "struct s { struct s inside; };\nint f(struct s v) { return 0; }\n",
    ] {
        let bench = Bench::new(&[("unit.c", text)]);
        bench.fails("test unit.c --fn f", UNIT, &["incomplete type", "does not compile"]);
    }
    // An opaque type is represented by bytes, because its members are not declared.
    let bench = Bench::new(&[("unit.c", "struct s; int f(struct s *p) { return p != 0; }\n")]);
    assert_eq!(bench.tine("test unit.c --fn f --json").json()["verdict"], "complete");
}

#[test]
fn an_empty_file() {
    let bench = Bench::new(&[("unit.c", "")]);
    bench.fails("test unit.c --fn f", USAGE, &["no function `f`", "defines nothing", "help"]);
    bench.fails("test unit.c", USAGE, &["unit.c", "help"]);
}

#[test]
fn missing_clang() {
    let bench = bench();
    let mut command = bench.command("test unit.c --fn f");
    command.env("PATH", bench.home());
    bench.command_fails(
        "test without clang",
        &mut command,
        USAGE,
        &["`clang-22` not found", "install the Debian package"],
    );
    let mut command = bench.command("cc unit.c -c");
    command.env("PATH", bench.home());
    bench.command_fails("cc without clang", &mut command, USAGE, &["`clang-22` not found"]);
}

#[test]
fn unwritable_out_directory() {
    let bench = bench();
    // Root may write anywhere, so use a path below a file, and one that the kernel rejects.
    bench.fails("test unit.c --fn f --out unit.c/out", USAGE, &["cannot write to `unit.c/out`"]);
    bench.fails("test unit.c --fn f --out unit.c", USAGE, &["unit.c"]);
    bench.fails("test unit.c --fn f --out /proc/tine/out", USAGE, &["cannot write to `/proc/tine/out`"]);
    bench.compile("unit.c", "program.o -c");
}

#[test]
fn no_room_for_temporary_files() {
    let bench = bench();
    let mut command = bench.command("test unit.c --fn f");
    command.env("TMPDIR", bench.path("unit.c"));
    bench.command_fails("test with a wrong TMPDIR", &mut command, USAGE, &["TMPDIR"]);
}

#[test]
fn a_session_is_never_overwritten() {
    let bench = bench();
    assert_eq!(bench.tine("test unit.c --fn f --out out").code, Some(1));
    bench.fails("test unit.c --fn f --out out", USAGE, &["`out` already holds a session"]);
    bench.write("main.c", "int main(void) { return 0; }\n");
    bench.compile("main.c", "program");
    bench.fails("run ./program --out out", USAGE, &["`out` already holds a session"]);
    let again = bench.tine("replay out 1");
    assert_eq!(again.code, Some(0), "{again}");
}

#[test]
fn what_lies_in_the_out_directory_stays() {
    let bench = bench();
    fs::create_dir(bench.path("out")).expect("a directory");
    bench.write("out/notes.txt", "mine");
    bench.write("broken.c", "int f(int x) { return }\n");
    bench.fails("test broken.c --fn f --out out", UNIT, &["error"]);
    assert_eq!(bench.tine("test unit.c --fn f --out out").code, Some(1));
    assert_eq!(fs::read_to_string(bench.path("out/notes.txt")).expect("the file"), "mine");
}

#[test]
fn one_tine_in_a_directory() {
    let bench = Bench::new(&[("unit.c", MANY_PATHS)]);
    let mut first = bench
        .command("test unit.c --fn f --out out --quiet")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("tine starts");
    wait_for("the session", || bench.path("out/session.db").exists());
    let second = bench.tine("test unit.c --fn f --out out");
    let still_running = matches!(first.try_wait(), Ok(None));
    first.kill().expect("it is ours");
    first.wait().expect("it is ours");
    assert!(still_running);
    assert_eq!(second.code, Some(USAGE), "{second}");
    assert!(second.stderr.contains("another tine is using `out`"), "{second}");
}

/// Of several tine that start at once, the first one gets the directory, and its session stays.
#[test]
fn several_start_at_once() {
    let names = ["one", "two", "three", "four"];
    let text: String = names.map(|name| format!("int {name}(int x) {{ return x == {}; }}\n", name.len())).concat();
    let bench = Bench::new(&[("unit.c", &text)]);
    let started = names.map(|name| {
        let mut command = bench.command(&format!("test unit.c --fn {name} --out out --json"));
        (name, command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("tine starts"))
    });
    let ended = started.map(|(name, child)| (name, child.wait_with_output().expect("tine ends")));
    let winners: Vec<&str> =
        ended.iter().filter(|(_, output)| output.status.code() == Some(0)).map(|(name, _)| *name).collect();
    assert_eq!(winners.len(), 1, "{ended:?}");
    for (name, output) in &ended {
        assert!(*name == winners[0] || output.status.code() == Some(USAGE), "{name}: {output:?}");
    }
    let driver = fs::read_to_string(bench.path("out/driver.c")).expect("the driver is there");
    assert!(driver.contains(&format!("{}(", winners[0])), "{driver}");
    let replayed = bench.tine("replay out 1");
    assert_eq!(replayed.code, Some(0), "{replayed}");
    bench.is_tidy();
}

#[test]
fn nonsense_flags() {
    let bench = bench();
    for (flags, part) in [
        ("--frobnicate", "--frobnicate"),
        ("--max-runs 0", "--max-runs"),
        ("--max-runs many", "many"),
        ("--max-runs -3", "-3"),
        ("--max-time 30", "expected e.g. 500ms, 30s, 5m, 1h"),
        ("--max-time 0s", "must be positive"),
        ("--max-time 1w", "expected e.g. 500ms, 30s, 5m, 1h"),
        ("--run-timeout soon", "expected e.g. 500ms, 30s, 5m, 1h"),
        ("--run-timeout 99999999999999999999h", "too long"),
        ("--memory 0", "invalid size"),
        ("--memory lots", "a size such as 256M"),
        ("--memory 99999999999G", "invalid size"),
        ("--depth 0", "--depth"),
        ("--strategy luck", "luck"),
        ("--strategy generation", "did you mean `generational`?"),
        ("--jobs 0", "--jobs"),
        ("--solver oracle", "oracle"),
        ("--seed x", "--seed"),
        ("--json=perhaps", "--json"),
        ("--cflags \"'\"", "close every quote"),
        ("--out", "--out"),
    ] {
        bench.fails(&format!("test unit.c --fn f {flags}"), USAGE, &["error", part]);
    }
}

#[test]
fn nonsense_commands() {
    let bench = bench();
    bench.fails("explore unit.c", USAGE, &["explore"]);
    bench.fails("", USAGE, &["Usage"]);
    bench.fails("test", USAGE, &["no files to explore", "give a file", "tine init"]);
    bench.fails("test --fn f", USAGE, &["no files to explore"]);
    bench.fails("run", USAGE, &["PROGRAM"]);
    bench.fails("replay", USAGE, &["SESSION"]);
    bench.fails("replay out one", USAGE, &["one"]);
}

#[test]
fn bad_flags_for_the_compiler() {
    let bench = bench();
    bench.fails("test unit.c --fn f --cflags -fno-such-flag", UNIT, &["-fno-such-flag"]);
    bench.fails("test unit.c --fn f --cflags '-include missing.h'", UNIT, &["missing.h"]);
}

#[test]
fn thirty_two_bits() {
    let bench = bench();
    bench.fails("test unit.c --fn f --cflags -m32", USAGE, &["`-m32` is not supported", "64-bit"]);
    bench.fails("cc -m32 unit.c -c", USAGE, &["`-m32` is not supported", "64-bit"]);
    bench.fails("cc --target=aarch64-linux-gnu unit.c -c", USAGE, &["--target=aarch64-linux-gnu", "not supported"]);
}

#[test]
fn mistakes_in_the_configuration() {
    for (text, part) in [
        ("max-tim = \"3s\"\n", "there is no setting `max-tim`; did you mean `max-time`?"),
        ("max-runs = true\n", "`max-runs`: invalid type: boolean `true`"),
        ("json = 1\n", "`json`: invalid type: integer `1`"),
        ("[tset]\nseed = 1\n", "there is no section `[tset]`"),
        ("max-runs = 0\n", "`max-runs`: invalid number `0`"),
        ("max-time = \"3\"\n", "expected e.g. 500ms, 30s, 5m, 1h"),
        ("seed = = 1\n", "tine.toml"),
    ] {
        let bench = bench();
        bench.write("tine.toml", text);
        bench.fails("test unit.c --fn f", USAGE, &["error", part]);
    }
    let bench = bench();
    fs::create_dir(bench.path("tine.toml")).expect("a directory");
    bench.fails("test unit.c --fn f", USAGE, &["cannot read tine.toml"]);
}

#[test]
fn programs_that_tine_did_not_build() {
    let bench = bench();
    bench.fails("run ./missing", USAGE, &["./missing: no such file"]);
    bench.fails("run .", USAGE, &["error"]);
    bench.fails("run unit.c", USAGE, &["unit.c defines no `main`", "tine test"]);
    bench.fails("run /bin/true", USAGE, &["/true", "tine cc"]);
    bench.write("empty", "");
    bench.fails("run ./empty", USAGE, &["empty", "tine cc"]);
    assert_eq!(bench.tine("cc --native -w unit.c -Dmain=f -DNO -c -o native.o").code, Some(0));
    bench.fails("run ./native.o", USAGE, &["native.o"]);
}

#[test]
fn programs_that_are_not_whole() {
    let bench = Bench::new(&[("main.c", "int main(void) { return 0; }\n")]);
    bench.compile("main.c", "program");
    let bytes = fs::read(bench.path("program")).expect("the program");
    fs::write(bench.path("cut"), &bytes[..bytes.len() / 2]).expect("a file");
    fs::copy(bench.path("program"), bench.path("plain")).expect("a copy");
    let ran = bench.tine("run ./cut --out cut-out");
    assert_eq!(ran.code, Some(USAGE), "{ran}");
    assert!(!bench.path("cut-out").exists());
}

#[test]
fn programs_that_do_not_come_to_main() {
    let early = "#include <stdlib.h>\n#include <stdio.h>\n\
        __attribute__((constructor)) static void first(void) { puts(\"no licence\"); exit(5); }\n\
        int main(void) { return 0; }\n";
    let bench = Bench::new(&[("main.c", early)]);
    bench.compile("main.c", "program");
    bench.fails("run ./program", USAGE, &["program", "exit code 5", "no licence"]);
}

#[test]
fn replays_of_what_is_not_there() {
    let bench = bench();
    bench.fails("replay missing 1", USAGE, &["there is no session in `missing`"]);
    bench.fails("replay . 1", USAGE, &["there is no session in `.`"]);
    bench.fails("replay unit.c 1", USAGE, &["there is no session in `unit.c`"]);
    fs::create_dir(bench.path("fake")).expect("a directory");
    bench.write("fake/session.db", "not a database, but long enough to be taken for one, perhaps\n");
    bench.fails("replay fake 1", USAGE, &["`fake` is not a session of tine"]);
    bench.write("fake/session.db", "");
    bench.fails("replay fake 1", USAGE, &["`fake` is not a session of tine"]);
    assert_eq!(bench.tine("test unit.c --fn f --out out").code, Some(1));
    bench.fails("replay out 999", USAGE, &["has no case 999; it has 1, "]);
    bench.fails("replay out 0", USAGE, &["has no case 0"]);
}

#[test]
fn replays_of_a_program_that_is_gone() {
    let bench = Bench::new(&[("main.c", "#include <tine.h>\nint main(void) { return tine_int(\"x\") == 3; }\n")]);
    bench.compile("main.c", "program");
    assert_eq!(bench.tine("run ./program --out out").code, Some(0));
    fs::remove_file(bench.path("program")).expect("it is there");
    bench.fails("replay out 1", USAGE, &["program is gone"]);
}

/// Functions of headers are not suggested.
#[test]
fn an_unknown_function_is_answered_with_those_of_the_file() {
    let bench =
        Bench::new(&[("unit.c", "#include <stdlib.h>\n#include <arpa/inet.h>\nint f(int x) { return htonl(x); }\n")]);
    bench.fails("test unit.c --fn nofn", 2, &["there is no function `nofn` in unit.c", "it defines `f`\n"]);
}
