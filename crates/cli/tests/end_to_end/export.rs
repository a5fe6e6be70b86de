//! `tine export`: the tests build without warnings, pass, and fail when the unit changes.

use std::fs;
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

/// Builds and runs a suite; its messages.
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

/// The corpus covers the same lines as the cases, and fuzzing goes on from there.
#[test]
fn a_harness_for_libfuzzer_runs_the_cases() {
    let bench = Bench::new(&[("sum.c", GRAPH)]);
    let explored = bench.tine("test sum.c --fn sum --len a=n --globals total --max-runs 200 --out out");
    assert_eq!(explored.code, Some(0), "{}", explored.stderr);
    let exported = bench.tine("export out --format libfuzzer --out fuzz");
    assert_eq!(exported.code, Some(0), "{}{}", exported.stdout, exported.stderr);
    let coverage = "CFLAGS=-fprofile-instr-generate -fcoverage-mapping";
    let (passed, messages) = make(&bench, "fuzz", &["CC=clang-22", coverage, "fuzz_sum"]);
    assert!(passed, "{messages}");
    let run = |profile: &str, arguments: &[&str]| {
        let mut command = Command::new("./fuzz_sum");
        command.args(["-detect_leaks=0"]).args(arguments).arg("corpus").current_dir(bench.path("fuzz"));
        let output = command.env("LLVM_PROFILE_FILE", profile).output().expect("the harness runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{text}");
        text
    };
    run("profile", &["-runs=0"]);
    let tool = |name: &str, arguments: &[&str]| {
        let mut command = Command::new(format!("{name}-22"));
        let output = command.args(arguments).current_dir(bench.path("fuzz")).output().expect("LLVM's tools");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    tool("llvm-profdata", &["merge", "profile", "-o", "merged"]);
    let shown = tool("llvm-cov", &["show", "fuzz_sum", "-instr-profile=merged", "../sum.c"]);
    let missed: Vec<&str> = shown.lines().filter(|line| line.contains("|      0|")).collect();
    assert!(shown.contains("return 8;") && missed.is_empty(), "{shown}");
    let seconds = if std::env::var_os("TINE_LONG").is_some() { "-max_total_time=5" } else { "-max_total_time=1" };
    let fuzzed = run("profile", &[seconds]);
    assert!(fuzzed.contains("Done "), "{fuzzed}");
}
