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
        // The tests are also built with gcc, without libatomic.
        let is_for_clang = ["musttail", "_inline(", "_Atomic float", "_Atomic double"];
        if plain(header) && !is_for_clang.iter().any(|word| text.contains(word)) {
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

/// Units drawn at random, with a fixed seed, so that a failure belongs to a change: their tests compile without warnings and
/// pass. Half of them are exported in plain C and half for GoogleTest. With `TINE_LONG`, all units in both formats.
#[test]
fn exported_tests_of_drawn_units_pass() {
    let is_long = std::env::var_os("TINE_LONG").is_some();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let seed = u64::from_str_radix("50b449c7156bf74", 16).expect("a number");
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
    assert!(failures.is_empty(), "{}", failures.join("\n"));
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

const RING: &str = "\
#include <stdlib.h>
struct ring { int n; int used; int *cells; };
struct ring *ring_new(int n) {
    if (n < 1 || n > 4)
        return NULL;
    struct ring *ring = malloc(sizeof *ring);
    if (!ring)
        return NULL;
    ring->n = n;
    ring->used = 0;
    ring->cells = malloc(n * sizeof(int));
    return ring;
}
int ring_put(struct ring *ring, int v) {
    if (!ring || !ring->cells || ring->used > ring->n)
        return -1;
    ring->cells[ring->used++] = v;
    return ring->used;
}
";

/// Tests that print run in the sandbox, and lines that only errors execute count.
#[test]
fn tests_that_print_or_show_errors_are_verified() {
    let unit = "#include <stdio.h>\nint f(int x, int d) {\n    if (x == 7) {\n        printf(\"seven\\n\");\n        \
                return 7;\n    }\n    if (x == 3)\n        return 10 / (d - d);\n    return x > 3;\n}\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    assert_eq!(bench.tine("test unit.c --fn f --quiet --out out").code, Some(1));
    for _ in 0..2 {
        // The second export finds nothing of the first verification.
        let exported = bench.tine("export out --format c --out suite --verify");
        assert_eq!(exported.code, Some(0), "{}{}", exported.stdout, exported.stderr);
        for expected in
            ["gcc with sanitizers: passed", "errors with sanitizers: passed", "claimed lines are executed\n"]
        {
            assert!(exported.stdout.contains(expected), "{expected}: {}", exported.stdout);
        }
        assert!(!exported.stdout.contains("not line"), "{}", exported.stdout);
    }
    let text = fs::read_to_string(bench.path("suite/test_f.c")).expect("the tests");
    assert!(text.contains("strcmp(output(), \"seven\\n\")"), "{text}");
}

/// The error is out of bounds of memory that the unit allocates, so an invented object would not show it.
#[test]
fn errors_shown_by_calls_become_calls() {
    let bench = Bench::new(&[("ring.c", RING)]);
    let explored = bench.tine("test ring.c --fn ring_put --out out");
    assert_eq!(explored.code, Some(1), "{}{}", explored.stdout, explored.stderr);
    let exported = bench.tine("export out --format c --out suite");
    assert_eq!(exported.code, Some(0), "{}{}", exported.stdout, exported.stderr);
    let text = fs::read_to_string(bench.path("suite/errors/test_ring_put_errors.c")).expect("the tests");
    assert!(
        text.contains("struct ring *ring = ring_new(1);\n    ring_put(ring, 0);\n    (void)ring_put(ring, 0);"),
        "{text}"
    );
    let (passed, messages) = make(&bench, "suite", &["check", "check-errors"]);
    assert!(passed, "{messages}");
    // The session of the calls can be exported, too.
    let exported = bench.tine("export out/calls --format c --out calls");
    assert_eq!(exported.code, Some(0), "{}{}", exported.stdout, exported.stderr);
    let (passed, messages) = make(&bench, "calls", &["check", "check-errors"]);
    assert!(passed && !messages.starts_with("no tests"), "{messages}");
}

#[test]
fn requirements_are_named() {
    let bench = Bench::new(&[("unit.c", "int f(const int *p) { return *p > 3; }\n")]);
    assert_eq!(bench.tine("test unit.c --fn f --quiet --out out").code, Some(0));
    assert_eq!(bench.tine("export out --format c --out suite").code, Some(0));
    let text = fs::read_to_string(bench.path("suite/errors/test_f_errors.c")).expect("the tests");
    assert!(text.contains("test_requires_p_not_null(void)"), "{text}");
    assert!(text.contains("The function requires `p != NULL`."), "{text}");
}

/// A side that an error also takes has a test that passes.
#[test]
fn errors_do_not_replace_tests_that_pass() {
    let unit = "int f(int kind, int a, int b) {\n    switch (kind) {\n    case 0:\n        if (a + b > 10)\n            return 1;\n        return 2;\n    \
                default:\n        return 3;\n    }\n}\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    assert_eq!(bench.tine("test unit.c --fn f --quiet --out out").code, Some(1));
    assert_eq!(bench.tine("export out --format c --out suite").code, Some(0));
    let text = fs::read_to_string(bench.path("suite/test_f.c")).expect("the tests");
    for expected in ["result == 1", "result == 2", "result == 3"] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

/// A line that is added above the function changes no test.
#[test]
fn an_added_line_changes_nothing() {
    let bench = Bench::new(&[("list.c", LIST)]);
    let explore = "test list.c --fn push --max-objects 2 --max-runs 200 --quiet --out";
    assert_eq!(bench.tine(&format!("{explore} out")).code, Some(1));
    assert_eq!(bench.tine("export out --format c --out suite").code, Some(0));
    let path = bench.path("suite/test_push.c");
    let first = fs::read_to_string(&path).expect("the tests");
    bench.write("list.c", &format!("/* A list. */\n\n{LIST}"));
    assert_eq!(bench.tine(&format!("{explore} again")).code, Some(1));
    let updated = bench.tine("export again --update suite");
    assert_eq!(updated.stdout.lines().count(), 1, "{}", updated.stdout);
    assert_eq!(fs::read_to_string(&path).expect("the tests"), first);
}

#[test]
fn inputs_are_as_small_as_the_path_allows() {
    let unit = "int f(const char *s, int n, unsigned m) {\n    if (s && s[0] != 0 && s[0] != 'x' && s[1] != 0 && n > 100)\n        \
                return m > 5000 ? 1 / (n - n) : 2;\n    return 3;\n}\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    let explored = bench.tine("test unit.c --fn f --json --out out").json();
    let input = explored["errors"][0]["input"].to_string();
    for expected in ["s = \\\"aa", "n = 101", "m = 5001"] {
        assert!(input.contains(expected), "{expected}: {input}");
    }
    // The stored case is the same.
    let shown = bench.tine("show out 1").stdout + &bench.tine("show out").stdout;
    let replayed = bench.tine(&format!("replay out {}", explored["errors"][0]["case"]));
    assert!(replayed.stdout.contains("division by zero"), "{}{shown}", replayed.stdout);
    assert!(replayed.stdout.contains("n = 101"), "{}", replayed.stdout);
    assert_eq!(bench.tine("export out --format c --out suite").code, Some(0));
    let text = fs::read_to_string(bench.path("suite/test_f.c")).expect("the tests");
    assert!(text.contains("f(s, 101, 0)") && text.contains("char s[] = \"aa"), "{text}");
}

/// Ten units in every other source format. Debian has no package of Unity: with `TINE_LONG`, it comes from the sources of
/// cJSON, which contain it.
#[test]
fn ten_units_in_every_other_format() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut formats = vec!["cmocka", "criterion", "check"];
    let mut flags = String::from("UNITY=unity");
    let bench = Bench::new(&[]);
    if std::env::var_os("TINE_LONG").is_some() {
        let sources = root.join("target/benches/src");
        let fetched = Command::new(root.join("benches/fetch.sh")).arg(&sources).arg("cjson").status();
        assert!(fetched.is_ok_and(|status| status.success()));
        flags = format!("UNITY={}", sources.join("cjson/tests/unity/src").display());
        formats.push("unity");
    }
    let units = plain_units(&root);
    for (index, (file, function)) in units.iter().step_by(units.len() / 10).take(10).enumerate() {
        let file = file.display();
        let explored = bench.tine(&format!("test {file} --fn {function} --quiet --max-runs 100 --out {index}"));
        assert!(explored.code.is_some_and(|code| code <= 1), "{file}: {}", explored.stderr);
        for format in &formats {
            let exported = bench.tine(&format!("export {index} --format {format} --out {index}-{format}"));
            assert_eq!(exported.code, Some(0), "{file} ({format}): {}", exported.stderr);
            let (passed, messages) = make(&bench, &format!("{index}-{format}"), &[&flags, "check", "check-errors"]);
            assert!(passed, "{file} ({format}): {messages}");
        }
    }
}

#[test]
fn cases_that_cannot_be_tests_are_named() {
    let unit = "struct outer { struct { int x; } *p; };\nint f(struct outer *o) { return o && o->p ? o->p->x : 3; }\nint never(int x) { return 0; }\n\
                int g(int x) { return x > 3; }\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    assert_eq!(bench.tine("test unit.c --fn f --quiet --out out").code, Some(0));
    let exported = bench.tine("export out --format c --out suite");
    assert!(exported.stdout.contains("cannot be written in C"), "{}{}", exported.stdout, exported.stderr);
    let (passed, messages) = make(&bench, "suite", &["check"]);
    assert!(passed, "{messages}");
    // No input satisfies the precondition.
    assert_eq!(bench.tine("test unit.c --fn g --requires never --quiet --out none").code, Some(2));
    let exported = bench.tine("export none --format c --out nothing");
    assert_eq!(exported.code, Some(2), "{}", exported.stdout);
    assert!(exported.stderr.contains("the session has no cases"), "{}", exported.stderr);
    assert!(!bench.path("nothing").exists());
    // Inputs with pointers mean nothing to other tools.
    for format in ["corpus", "testcomp"] {
        let exported = bench.tine(&format!("export out --format {format} --out {format}"));
        assert!(exported.stdout.contains("the format has no pointers"), "{}", exported.stdout);
    }
}

/// Builds a harness and runs its corpus, then fuzzes it for a moment.
fn fuzz(bench: &Bench, folder: &str, runs: &str) -> (bool, String) {
    let (built, messages) = make(bench, folder, &["CC=clang-22", "all"]);
    assert!(built, "{messages}");
    let name = fs::read_dir(bench.path(folder)).expect("a directory").flatten().map(|entry| entry.file_name());
    let name = name.map(|name| name.to_string_lossy().into_owned());
    let name = name.filter(|name| name.starts_with("fuzz_") && !name.contains('.')).last().expect("a program");
    let mut command = Command::new(format!("./{name}"));
    command.args(["-detect_leaks=0", "-seed=1", runs, "corpus"]).current_dir(bench.path(folder));
    let output = command.output().expect("the harness runs");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_length_belongs_to_the_pointer_before_it() {
    let unit = "#include <stddef.h>\nint f(const char *s, size_t len) {\n    if (!s || len < 3)\n        return 0;\n    \
                return s[0] == 'a' && s[2] == 'c';\n}\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    assert_eq!(bench.tine("test unit.c --fn f --len s=len --quiet --out out").code, Some(0));
    assert_eq!(bench.tine("test unit.c --fn f --len s=any --quiet --out any").code.map(|code| code <= 1), Some(true));
    for session in ["out", "any"] {
        let folder = format!("fuzz-{session}");
        assert_eq!(bench.tine(&format!("export {session} --format libfuzzer --out {folder}")).code, Some(0));
        let (passed, messages) = fuzz(&bench, &folder, "-runs=2000");
        assert!(passed && messages.contains("Done "), "{messages}");
    }
}

#[test]
fn sequences_are_fuzzed() {
    let unit = "struct set { int n; int items[2]; };\nvoid set_init(struct set *s) { s->n = 0; }\n\
                int set_add(struct set *s, int x) {\n    if (s->n == 2)\n        return -1;\n    s->items[s->n++] = x;\n    \
                return 1;\n}\nvoid set_pop(struct set *s) { if (s->n > 0) s->n--; }\n";
    let bench = Bench::new(&[("set.c", unit)]);
    let explored = bench.tine("sequence set.c --calls set_init,set_add*,set_pop* --max-calls 5 --quiet --out out");
    assert_eq!(explored.code, Some(0), "{}", explored.stderr);
    let exported = bench.tine("export out --format libfuzzer --out fuzz");
    assert_eq!(exported.code, Some(0), "{}{}", exported.stdout, exported.stderr);
    let (passed, messages) = fuzz(&bench, "fuzz", "-runs=2000");
    assert!(passed && messages.contains("Done "), "{messages}");
    // The corpus contains the sequence that fills the set.
    bench.write("set.c", &unit.replace("return -1", "__builtin_trap()"));
    make(&bench, "fuzz", &["clean"]);
    let (passed, messages) = fuzz(&bench, "fuzz", "-runs=0");
    assert!(!passed, "{messages}");
}
