//! `--changed` and `--diff`: the functions that a change concerns.

use std::process::Command;

use crate::support::Bench;

const UNIT: &str = "\
#include \"unit.h\"
static const int table[2] = {4, 5};

static int helper(int x) {
    int y = x & 15;
    y += 2;
    return y + K;
}

int unrelated(int a) { return a > 3; }

int caller(int a, int flags) {
    int n = 0;
    for (int i = 0; i < 20; i++)
        if (flags >> i & 1)
            n++;
    if (a == 5 && helper(a) == 8)
        return 1;
    return n > 30;
}

int user(int i) { return table[i & 1]; }
";

fn git(bench: &Bench, arguments: &str) -> String {
    let mut command = Command::new("git");
    command.current_dir(bench.path(".")).env("HOME", bench.home()).args(["-c", "user.name=a", "-c", "user.email=a@b"]);
    let output = command.args(arguments.split(' ')).output().expect("git");
    assert!(output.status.success(), "git {arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A checkout with one commit.
fn checkout() -> Bench {
    let bench = Bench::new(&[("unit.c", UNIT), ("unit.h", "#define K 1\n")]);
    for arguments in ["init -q", "add unit.c unit.h", "commit -q -m one"] {
        git(&bench, arguments);
    }
    bench
}

/// Functions that `tine test` explored, in order.
fn explored(bench: &Bench, arguments: &str) -> Vec<String> {
    let ran = bench.tine(&format!("test {arguments} --json --quiet --max-runs 40 --jobs 1"));
    assert!(ran.code.is_some_and(|code| code <= 1), "{ran}");
    let found = ran.json();
    let functions = found["functions"].as_array().expect("functions").iter();
    functions.map(|function| function["target"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn what_is_the_same_after_compilation_has_not_changed() {
    let bench = checkout();
    let unchanged = |ran: crate::support::Ran| {
        assert!(ran.code == Some(0) && ran.stdout.contains("no function of unit.c has changed since HEAD"), "{ran}");
    };
    unchanged(bench.tine("test unit.c --changed"));
    let (head, rest) = UNIT.split_once("int unrelated").expect("a function");
    let moved = format!("{head}/* A comment. */\n\nint unrelated{rest}").replace("y += 2;", "y +=\n        2;");
    bench.write("unit.c", &moved);
    unchanged(bench.tine("test unit.c --changed"));
    unchanged(bench.tine("test --changed unit.c"));
    assert_eq!(bench.tine("test unit.c --changed --json --quiet").stdout, "{\"functions\":[]}\n");
}

#[test]
fn changed_functions_or_their_nearest_callers_are_explored() {
    let bench = checkout();
    bench.write("unit.c", &UNIT.replace("x & 15", "x & 7"));
    assert_eq!(explored(&bench, "unit.c --changed"), ["caller"]);
    let ran = bench.tine("test unit.c --changed --fn unrelated");
    assert!(ran.code == Some(0) && ran.stdout.contains("`unrelated` does not lead there"), "{ran}");
    // A removed line stands for the next statement.
    bench.write("unit.c", &UNIT.replace("    y += 2;\n", ""));
    assert_eq!(explored(&bench, "unit.c --changed --out removed"), ["caller"]);
    let ran = bench.tine("influence unit.c --fn caller --changed --json");
    assert!(ran.stderr.is_empty() || ran.stderr.contains("changed since HEAD: `helper`"), "{ran}");
    let branches = ran.json()["branches"].as_array().expect("branches").clone();
    assert!(branches.iter().any(|branch| branch["line"] == 16 && branch["decides"] == true), "{ran}");
    // Constants and macros are part of the functions that use them.
    bench.write("unit.c", &UNIT.replace("{4, 5}", "{4, 6}"));
    assert_eq!(explored(&bench, "unit.c --changed --out table"), ["user"]);
    bench.write("unit.c", UNIT);
    bench.write("unit.h", "#define K 2\n");
    assert_eq!(explored(&bench, "unit.c --changed --out macro"), ["caller"]);
    git(&bench, "commit -q -a -m two");
    assert_eq!(explored(&bench, "unit.c --changed HEAD~1 --out revision"), ["caller"]);
    assert_eq!(explored(&bench, "unit.c --changed --out nothing"), [""; 0]);
    // A file that git does not know is new.
    bench.write("new.c", "int fresh(int x) { return x == 3; }\n");
    assert_eq!(explored(&bench, "new.c --changed --out new"), ["fresh"]);
    assert_eq!(explored(&bench, "--changed --out all"), ["fresh"], "changed files of the checkout");
}

#[test]
fn functions_are_reached_through_tables() {
    let unit = "static int add(int a) { return a + 1; }\nstatic int sub(int a) { return a - 1; }\n\
                static int (*const ops[])(int) = {add, sub};\nint apply(unsigned op, int a) { return ops[op & 1](a); }\n\
                struct table { int (*get)(int); };\nstatic int get(int x) { return x + 1; }\n\
                static struct table table = {get};\nint use(int x) { return table.get(x); }\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    for arguments in ["init -q", "add unit.c", "commit -q -m one"] {
        git(&bench, arguments);
    }
    bench.write("unit.c", &unit.replace("a - 1", "a - 2"));
    assert_eq!(explored(&bench, "unit.c --changed"), ["apply"]);
    bench.write("unit.c", &unit.replace("x + 1", "x + 2"));
    assert_eq!(explored(&bench, "unit.c --changed --out table"), ["use"]);
}

/// Files may have `static` functions with the same name, and a function may move to another file.
#[test]
fn functions_of_several_files_are_kept_apart() {
    let file = |k: u32, name: &str| {
        format!("static int h(int x) {{ return x + {k}; }}\nint {name}(int x) {{ return h(x); }}\n")
    };
    let bench = Bench::new(&[("a.c", &file(1, "fa")), ("b.c", &file(2, "fb"))]);
    for arguments in ["init -q", "add a.c b.c", "commit -q -m one"] {
        git(&bench, arguments);
    }
    bench.write("a.c", &file(2, "fa"));
    assert_eq!(explored(&bench, "a.c b.c --changed"), ["fa"]);
}

#[test]
fn headers_that_change_or_disappear_concern_their_files() {
    let bench = checkout();
    bench.write("unit.h", "#define K 2\n");
    assert_eq!(explored(&bench, "--changed"), ["caller"], "no file is named");
    bench.write("a.patch", &git(&bench, "diff"));
    assert_eq!(explored(&bench, "--diff a.patch --out patch"), ["caller"], "no file is named");
    let renamed = UNIT.replace("unit.h", "other.h").replace("a > 3", "a > 4");
    git(&bench, "checkout -q unit.h");
    git(&bench, "mv unit.h other.h");
    bench.write("unit.c", &renamed);
    let ran = bench.tine("test unit.c --changed --json --quiet --max-runs 5 --out renamed");
    assert!(!ran.stderr.contains("does not compile"), "{ran}");
    assert_eq!(explored(&bench, "unit.c --changed --out again"), ["unrelated"]);
    git(&bench, "rm -q -f other.h");
    bench.write("unit.c", &renamed.replace("#include \"other.h\"", "#define K 1"));
    assert_eq!(explored(&bench, "unit.c --changed --out removed"), ["unrelated"]);
}

#[test]
fn a_patch_describes_a_change() {
    let bench = checkout();
    bench.write("unit.c", &UNIT.replace("x & 15", "x & 7"));
    bench.write("a.patch", &git(&bench, "diff"));
    assert_eq!(explored(&bench, "unit.c --diff a.patch"), ["caller"]);
    git(&bench, "checkout -q unit.c");
    bench.fails("test unit.c --diff a.patch", 2, &["does not describe", "which differs in line 5", "apply the patch"]);
    bench.write("b.patch", "--- a/other.c\n+++ b/other.c\n@@ -1 +1 @@\n-x\n+y\n");
    bench.fails("test unit.c --diff b.patch", 2, &["is about other files", "b/other.c"]);
    bench.write("c.patch", "--- a/unit.c\n+++ b/unit.c\n@@ -1 +99999999999999999999 @@\n-x\n+y\n");
    bench.fails("test unit.c --diff c.patch", 2, &["line 3 of c.patch cannot be read"]);
    bench.fails("test unit.c --target nofn", 2, &["there is no function `nofn`"]);
    bench.fails("test unit.c --diff unit.c", 2, &["is not a unified diff"]);
    bench.fails("test unit.c --diff none.patch", 2, &["cannot read none.patch"]);
}

#[test]
fn mistakes_are_explained() {
    let bench = checkout();
    bench.fails("test unit.c --changed v9", 2, &["git knows no revision `v9`"]);
    std::fs::remove_dir_all(bench.path(".git")).expect("a checkout");
    bench.fails("test unit.c --changed", 2, &["not in a git checkout", "--diff"]);
}

/// A version before the change that does not compile has no functions to compare with.
#[test]
fn an_old_version_that_does_not_compile_leaves_the_lines() {
    let bench = checkout();
    bench.write("unit.c", &UNIT.replace("return a > 3;", "return a > ;"));
    git(&bench, "commit -q -a -m broken");
    bench.write("unit.c", UNIT);
    let ran = bench.tine("test unit.c --changed --quiet --max-runs 5");
    assert!(ran.stderr.contains("does not compile as it was before the change"), "{ran}");
    assert!(ran.stdout.contains("unrelated") && !ran.stdout.contains("user"), "{ran}");
}
