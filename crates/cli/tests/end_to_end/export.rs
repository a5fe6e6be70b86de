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
