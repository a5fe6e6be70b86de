//! `tine export`: the tests build without warnings, pass, and fail when the unit changes.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::support::Bench;

const LIST: &str = "\
#include <stdio.h>
#include <stdlib.h>
enum mode { NONE = 0, READ = 1, WRITE = 2, EXECUTE = 4 };
struct node { int v; enum mode mode; struct node *next; };
static int n_calls;
struct node *push(struct node *list, const char *name, int v) {
    n_calls++;
    if (list && list->mode == (READ | WRITE))
        list->v = v + 1;
    if (name && name[0] == 'p')
        puts(\"pushed\");
    if (list && list->next == list)
        return list;
    if (v == 1234)
        abort();
    struct node *made = malloc(sizeof *made);
    made->v = v;
    made->mode = WRITE;
    made->next = list;
    return made;
}
";

/// Builds and runs a suite. Returns its messages.
fn make(bench: &Bench, folder: &str, arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new("make");
    command.args(["-s", "-C"]).arg(bench.path(folder)).args(arguments);
    let output = command.output().expect("make runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text)
}

#[test]
fn exported_tests_build_pass_and_notice_changes() {
    let bench = Bench::new(&[("list.c", LIST)]);
    let explored = bench.tine("test list.c --fn push --max-objects 2 --max-runs 200 --out out");
    assert_eq!(explored.code, Some(1), "{}", explored.stderr);
    let exported = bench.tine("export out --format c --out suite");
    assert_eq!(exported.code, Some(0), "{}{}", exported.stdout, exported.stderr);
    assert!(!exported.stdout.contains("left out"), "{}", exported.stdout);
    let text = fs::read_to_string(bench.path("suite/test_push.c")).expect("the tests");
    for expected in ["output_begin();", "assert(result->mode == WRITE);", "assert(n_calls == 1);"] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    for compiler in ["CC=gcc", "CC=clang-22"] {
        let (passed, messages) = make(&bench, "suite", &[compiler, "check", "check-errors"]);
        assert!(passed && messages.contains(" 0 failed"), "{messages}");
        make(&bench, "suite", &["clean"]);
    }
    // The same session gives the same bytes.
    assert_eq!(bench.tine("export out --format c --out again").code, Some(0));
    assert_eq!(fs::read_to_string(bench.path("again/test_push.c")).expect("the tests"), text);
    bench.write("list.c", &LIST.replace("made->v = v;", "made->v = v + 1;"));
    let (passed, messages) = make(&bench, "suite", &["check"]);
    assert!(!passed && messages.contains("FAILED"), "{messages}");
    let changed = bench.tine("export out --format c --out suite");
    assert_eq!(changed.code, Some(2));
    assert!(changed.stderr.contains("list.c"), "{}", changed.stderr);
}

#[test]
fn frameworks_run_the_same_tests() {
    let bench = Bench::new(&[("list.c", LIST)]);
    assert_eq!(bench.tine("test list.c --fn push --max-objects 2 --max-runs 100 --out out").code, Some(1));
    for format in ["gtest", "cmocka", "criterion", "check"] {
        let exported = bench.tine(&format!("export out --format {format} --out {format}"));
        assert_eq!(exported.code, Some(0), "{}{}", exported.stdout, exported.stderr);
        let (passed, messages) = make(&bench, format, &["check", "check-errors"]);
        assert!(passed, "{format}: {messages}");
    }
}

#[test]
fn mistakes_are_named() {
    let bench = Bench::new(&[("list.c", LIST)]);
    bench.tine("test list.c --fn push --max-runs 5 --out out");
    let unknown = bench.tine("export out --format gtst --out suite");
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("did you mean `gtest`"), "{}", unknown.stderr);
    fs::create_dir(bench.path("full")).expect("a directory");
    bench.write("full/notes.txt", "mine");
    let refused = bench.tine("export out --format c --out full");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("notes.txt") && refused.stderr.contains("--force"), "{}", refused.stderr);
    assert_eq!(bench.tine("export out --format c --out full --force").code, Some(0));
    assert_eq!(bench.tine("export nowhere --format c --out suite").code, Some(2));
}

const GRAPH: &str = "\
#include <stdlib.h>
#include <string.h>
enum mode { READ = 4, WRITE = 9 };
struct node { int v; enum mode mode; struct node *next; const char *name; _Bool b; };
static int total;
int sum(struct node *list, const int *a, int n, int (*callback)(int)) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] & 0xff;
    for (struct node *p = list; p; p = p->next) {
        if (p->mode == WRITE && p->name && !strcmp(p->name, \"ab\") && total < 5)
            total++;
        if (p == p->next)
            return 7;
        if (p->next && p->next->next == p)
            return 8;
    }
    if (callback && callback(3) == 5)
        return 9;
    free(list);
    return s > 100 && n > 2;
}
";

/// The corpus covers the same lines as the cases, and fuzzing continues from there.
#[test]
fn a_harness_for_libfuzzer_runs_the_cases() {
    let bench = Bench::new(&[("sum.c", GRAPH)]);
    let explored = bench.tine("test sum.c --fn sum --len a=n --globals total --max-runs 200 --out out");
    assert_eq!(explored.code, Some(0), "{}", explored.stderr);
    let exported = bench.tine("export out --format libfuzzer --out fuzz");
    assert_eq!(exported.code, Some(0), "{}{}", exported.stdout, exported.stderr);
    let run = |arguments: &[&str]| {
        let mut command = Command::new("./fuzz_sum");
        command.args(["-detect_leaks=0"]).args(arguments).arg("corpus").current_dir(bench.path("fuzz"));
        let output = command.output().expect("the harness runs");
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    // A list with a circle of two nodes, a function that returns 5: the corpus covers both.
    for place in ["return 8;", "return 9;"] {
        bench.write("sum.c", &GRAPH.replace(place, "__builtin_trap();"));
        let (built, messages) = make(&bench, "fuzz", &["CC=clang-22", "fuzz_sum"]);
        assert!(built, "{messages}");
        let (passed, messages) = run(&["-runs=0"]);
        assert!(!passed, "{place}: {messages}");
        make(&bench, "fuzz", &["clean"]);
    }
    // libFuzzer does not interrupt a run, so longer circles must end, too. Its inputs need not meet requirements.
    let bounded = GRAPH.replace("p; p = p->next", "p && s < 1000; p = p->next, s++");
    let bounded = bounded.replace("; i < n;", "; a && i < n && i < 1;");
    assert_ne!(bounded, GRAPH);
    bench.write("sum.c", &bounded);
    let (built, messages) = make(&bench, "fuzz", &["CC=clang-22", "fuzz_sum"]);
    assert!(built, "{messages}");
    let seconds = if std::env::var_os("TINE_LONG").is_some() { "-max_total_time=5" } else { "-max_total_time=1" };
    let (passed, messages) = run(&[seconds]);
    assert!(passed && messages.contains("Done "), "{messages}");
}

const STACK: &str = "\
struct stack { int top; int item[3]; };
int push(struct stack *stack, int v) {
    if (!stack || stack->top < 0 || stack->top > 2)
        return -1;
    stack->item[stack->top++] = v;
    if (v == 77)
        return 5;
    return 0;
}
";

#[test]
fn a_committed_suite_is_refreshed() {
    let bench = Bench::new(&[("stack.c", STACK)]);
    assert_eq!(bench.tine("test stack.c --fn push --quiet --out out").code, Some(0));
    let exported = bench.tine("export out --format c --out suite --verify");
    assert_eq!(exported.code, Some(0), "{}{}", exported.stdout, exported.stderr);
    assert!(exported.stdout.contains("gcc with sanitizers: passed"), "{}", exported.stdout);
    assert!(!exported.stdout.contains("gcov: 0 of") && exported.stdout.contains(" claimed lines are executed\n"));
    let path = bench.path("suite/test_push.c");
    let first = fs::read_to_string(&path).expect("the tests");
    // Nothing has changed.
    let same = bench.tine("export out --update suite");
    assert_eq!(same.stdout.lines().count(), 1, "{}", same.stdout);
    assert_eq!(fs::read_to_string(&path).expect("the tests"), first);
    // A user's comment and test stay. A changed expectation is listed, and its test is replaced.
    let own =
        "static void test_own(void) {\n    assert(push(&(struct stack){ .top = 9 }, 0) == -1);\n}\n\nstatic const";
    let edited = first.replacen("static void", "/* Mine. */\nstatic void", 1).replace("static const", own);
    fs::write(&path, edited).expect("a file");
    bench.write("stack.c", &STACK.replace("return 5", "return 6"));
    assert_eq!(bench.tine("test stack.c --fn push --quiet --out out2").code, Some(0));
    let updated = bench.tine("export out2 --update suite --verify");
    assert_eq!(updated.code, Some(0), "{}{}", updated.stdout, updated.stderr);
    assert!(updated.stdout.contains("+ assert(result == 6);"), "{}", updated.stdout);
    let text = fs::read_to_string(&path).expect("the tests");
    assert!(text.contains("/* Mine. */") && text.contains("{ \"test_own\", test_own, RETURNS, 0 }"), "{text}");
    assert!(text.contains("result == 6") && !text.contains("result == 5"), "{text}");
    assert_eq!(bench.tine("export out2 --update nowhere").code, Some(2));
}

#[test]
fn tests_do_not_depend_on_the_order_of_objects() {
    let order = "int order(int *p, int *q) { if (!p || !q) return 0; return p < q ? 1 : 2; }\n";
    let bench = Bench::new(&[("order.c", order)]);
    assert_eq!(bench.tine("test order.c --fn order --quiet --out out").code, Some(0));
    assert_eq!(bench.tine("export out --format c --out suite").code, Some(0));
    for flags in ["CFLAGS=-O0", "CFLAGS=-O2"] {
        let (passed, messages) = make(&bench, "suite", &[flags, "check"]);
        assert!(passed, "{messages}");
        make(&bench, "suite", &["clean"]);
    }
}

#[test]
fn reads_of_uninitialised_memory_have_a_target_of_their_own() {
    let unit = "int f(int k) { int a[4]; a[1] = k; if (k == 5 && a[2]) return 1; return a[1]; }\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    assert_eq!(bench.tine("test unit.c --fn f --quiet --out out").code, Some(1));
    let exported = bench.tine("export out --format c --out suite");
    assert!(!exported.stdout.contains("left out"), "{}", exported.stdout);
    assert!(bench.path("suite/errors/test_f_uninitialised.c").exists());
    let (passed, messages) = make(&bench, "suite", &["CFLAGS=-O2", "check", "check-errors"]);
    assert!(passed, "{messages}");
}

/// Annotated units whose header names only a function and its results.
fn plain_units(root: &std::path::Path) -> Vec<(PathBuf, String)> {
    let listed = git(root, &["ls-files", "tests/units/*.c", "tests/structures/*.c", "examples/*.c"]);
    let plain = |header: &str| {
        let keys = header.split_whitespace().map(|word| word.split('=').next().unwrap_or_default());
        keys.clone().any(|key| key == "fn")
            && keys.into_iter().all(|key| ["fn", "paths", "verdict", "branches", "infeasible"].contains(&key))
    };
    let mut units = Vec::new();
    for file in listed.lines().map(|file| root.join(file)) {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let header = text.lines().find_map(|line| line.strip_prefix("// tine-test:")).unwrap_or_default();
        if plain(header) && !text.contains("musttail") {
            let name = header.split_whitespace().find_map(|word| word.strip_prefix("fn="));
            units.push((file, name.unwrap_or_default().to_owned()));
        }
    }
    units
}

fn git(root: &std::path::Path, arguments: &[&str]) -> String {
    let output = Command::new("git").arg("-C").arg(root).args(arguments).output().expect("git runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Units drawn by commit: their tests compile without warnings and pass. Half of them are exported in plain C and half
/// for GoogleTest. With `TINE_LONG`, all units in both formats.
#[test]
fn exported_tests_of_drawn_units_pass() {
    let is_long = std::env::var_os("TINE_LONG").is_some();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let commit = git(&root, &["rev-parse", "HEAD"]);
    let seed = u64::from_str_radix(commit.get(..15).unwrap_or("1"), 16).unwrap_or(1);
    let mut units = plain_units(&root);
    assert!(units.len() > 200, "{} units", units.len());
    units.sort_by_key(|(file, _)| {
        let name = file.file_name().unwrap_or_default().as_encoded_bytes();
        name.iter().fold(seed, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
    });
    units.truncate(if is_long { units.len() } else { 60 });
    // The header of GoogleTest is large: it is compiled once.
    let headers = Bench::new(&[]);
    fs::create_dir_all(headers.path("gtest")).expect("a directory");
    let mut compile = Command::new("g++");
    compile.args(["-g", "-Wall", "-Wextra", "-Werror", "-x", "c++-header", "/usr/include/gtest/gtest.h", "-o"]);
    let compiled = compile.arg(headers.path("gtest/gtest.h.gch")).status();
    assert!(compiled.is_ok_and(|status| status.success()));
    let flags = format!("CXXFLAGS=-I{}", headers.path(".").display());
    let failing = |(index, (file, function)): (usize, &(PathBuf, String))| {
        let bench = Bench::new(&[]);
        let file = file.display();
        let explored = bench.tine(&format!("test {file} --fn {function} --quiet --out out"));
        assert!(explored.code.is_some_and(|code| code <= 1), "{file}: {}", explored.stderr);
        let formats: &[&str] = if is_long { &["c", "gtest"] } else { &[["c", "gtest"][index % 2]] };
        let mut failures = Vec::new();
        for format in formats {
            let exported = bench.tine(&format!("export out --format {format} --out {format}"));
            let compiler = ["CC=gcc", "CC=clang-22"][index / 2 % 2];
            let (passed, messages) = make(&bench, format, &[compiler, "CXX=g++", &flags, "check", "check-errors"]);
            if exported.code != Some(0) || !passed {
                failures.push(format!("{file} ({format}): {}{messages}", exported.stderr));
            }
        }
        failures
    };
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let mut failures = Vec::new();
        loop {
            let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let Some(unit) = units.get(index) else { return failures };
            failures.extend(failing((index, unit)));
        }
    };
    let failures: Vec<String> = std::thread::scope(|scope| {
        let threads = [scope.spawn(work), scope.spawn(work)];
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(failures.is_empty(), "commit {commit}: {}", failures.join("\n"));
}

#[test]
fn cases_of_a_program_become_scripts() {
    let program = "\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    char line[8] = \"\";
    if (argc > 1 && !strcmp(argv[1], \"-x\"))
        return 3;
    if (fgets(line, sizeof line, stdin) && line[0] == 'q')
        puts(\"quit\");
    if (line[0] == 'a')
        abort();
    return 0;
}
";
    let bench = Bench::new(&[("program.c", program)]);
    let build =
        |arguments: &[&str]| Command::new(arguments[0]).args(&arguments[1..]).current_dir(bench.path(".")).status();
    assert_eq!(bench.tine("cc -g program.c -o program").code, Some(0));
    let explored = bench.tine("run ./program --sym-argv 1,2 --sym-stdin 4 --max-runs 300 --out out");
    assert_eq!(explored.code, Some(1), "{}", explored.stderr);
    let exported = bench.tine("export out --format c --out suite");
    assert_eq!(exported.code, Some(0), "{}{}", exported.stdout, exported.stderr);
    let plain = build(&["gcc", "program.c", "-o", "plain"]).expect("gcc runs");
    assert!(plain.success());
    let own = format!("PROGRAM={}", bench.path("plain").display());
    let (passed, messages) = make(&bench, "suite", &[&own, "check", "check-errors"]);
    assert!(passed && messages.contains(" 0 failed") && !messages.contains("\n0 cases"), "{messages}");
    assert!(bench.path("suite/cases/exits_3.sh").exists());
    // A changed program makes the tests fail.
    bench.write("program.c", &program.replace("return 3", "return 4").replace("\"quit", "\"quits"));
    assert!(build(&["gcc", "program.c", "-o", "plain"]).expect("gcc runs").success());
    let (passed, messages) = make(&bench, "suite", &[&own, "check"]);
    assert!(!passed && messages.contains("exits_3: exit status 4") && messages.contains("other output"), "{messages}");
}
