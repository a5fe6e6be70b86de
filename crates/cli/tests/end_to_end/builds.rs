//! Builds and programs with more than instrumented code: assembly with jumps, threads, other build systems.

use std::fs;
use std::process::Command;

use crate::support::{Bench, errors};

/// Inline assembly with jumps runs unchanged. Input that flows into it is counted, and its function is explored.
#[test]
fn assembly_that_jumps_is_counted() {
    let text = "#include <stdlib.h>\n#include <unistd.h>\n\
                int jumps(int x) {\n    __asm__ goto(\"test %0, %0\\n\\tjz %l1\" : : \"r\"(x) : \"cc\" : zero);\n    return 7;\n\
                zero:\n    return 8;\n}\n\
                int main(void) {\n    char b[2];\n    if (read(0, b, 2) < 2)\n        return 1;\n    int y = jumps(b[0]);\n    \
                if (y == 7 && b[1] == 'q')\n        abort();\n    return 0;\n}\n";
    let bench = Bench::new(&[("main.c", text)]);
    let compiled = bench.tine("cc -g main.c -o program");
    assert_eq!(compiled.code, Some(0), "{compiled}");
    fs::write(bench.path("seed"), "ab").expect("written");
    let ran = bench.tine("run ./program --sym-stdin 2 --seed-input seed --json");
    assert_eq!(errors(&ran.json()), [("abort".to_owned(), 15)], "{ran}");
    let reasons = ran.json()["reasons"].to_string();
    assert!(reasons.contains("input flows into `asm goto`, which is not instrumented"), "{ran}");
    assert_eq!(ran.json()["verdict"], "incomplete", "{ran}");
}

/// Threads run. The decisions of the first one are explored. Uses of the input by another one are counted.
#[test]
fn only_the_first_thread_records() {
    let text = "#include <pthread.h>\n#include <stdlib.h>\n#include <unistd.h>\nstatic char b[2];\nstatic int sum;\n\
                static void *work(void *p) {\n    if (b[0] == 'x')\n        sum = 1;\n    return p;\n}\n\
                int main(void) {\n    if (read(0, b, 2) < 2)\n        return 1;\n    pthread_t id;\n    \
                if (pthread_create(&id, 0, work, 0))\n        return 2;\n    pthread_join(id, 0);\n    \
                if (b[1] == 'q')\n        abort();\n    return sum;\n}\n";
    let bench = Bench::new(&[("main.c", text)]);
    let compiled = bench.tine("cc -g -pthread main.c -o program");
    assert_eq!(compiled.code, Some(0), "{compiled}");
    let ran = bench.tine("run ./program --sym-stdin 2 --json --max-runs 200");
    assert_eq!(errors(&ran.json()), [("abort".to_owned(), 19)], "{ran}");
    let found = ran.json();
    let reasons = found["reasons"].as_array().expect("a list").iter();
    let counts: Vec<u64> = reasons
        .filter(|reason| reason["what"] == "another thread used the input")
        .filter_map(|reason| reason["count"].as_u64())
        .collect();
    assert!(matches!(counts[..], [count] if count >= 2), "{ran}");
}

/// Meson with `CC="tine cc"`: a static and a shared library and a program of both, explored until their bug is found.
#[test]
fn meson_builds() {
    if Command::new("meson").arg("--version").output().is_err()
        || Command::new("ninja").arg("--version").output().is_err()
    {
        eprintln!("skipped: meson or ninja is not installed");
        return;
    }
    let bench = Bench::new(&[
        (
            "meson.build",
            "project('p', 'c', default_options: ['buildtype=debug'])\na = static_library('first', 'first.c')\n\
             b = shared_library('second', 'second.c')\nexecutable('program', 'main.c', link_with: [a, b])\n",
        ),
        ("first.c", "int first(const char *s) { return s[0] == 'm' && s[1] == 'e'; }\n"),
        ("second.c", "int second(const char *s) { return s[2] - 's' == 0; }\n"),
        (
            "main.c",
            "#include <stdlib.h>\n#include <unistd.h>\nint first(const char *s);\nint second(const char *s);\n\
             int main(void) {\n    char b[3];\n    if (read(0, b, 3) == 3 && first(b) && second(b))\n        abort();\n    \
             return 0;\n}\n",
        ),
    ]);
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(bench.path(".")).env("CC", format!("{} cc", env!("CARGO_BIN_EXE_tine")));
        let output = command.output().expect("it runs");
        let said = [output.stdout, output.stderr].concat();
        assert!(output.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&said));
    };
    run("meson", &["setup", "build"]);
    run("ninja", &["-C", "build"]);
    let ran = bench.tine("run build/program --sym-stdin 3 --json");
    assert_eq!(errors(&ran.json()), [("abort".to_owned(), 8)], "{ran}");
}

/// Constructs that C99 forbids cause warnings, as in other compilers, unless the user requests errors. `tine cc` is as
/// strict as clang.
#[test]
fn older_c_is_explored() {
    let text = "static twice(x) int x; {\n    return 2 * (x & 255);\n}\n\
                main() {\n    int x = __VERIFIER_nondet_int();\n    char *bytes = &x;\n    long address = bytes;\n    \
                if (twice(x) == 84 && address)\n        reach_error();\n    return 0;\n}\n";
    let bench = Bench::new(&[("main.c", text)]);
    let ran = bench.tine("run main.c --json");
    assert_eq!(errors(&ran.json()), [("reach_error".to_owned(), 9)], "{ran}");
    assert!(ran.stderr.contains("-Wimplicit-function-declaration"), "{ran}");
    let strict = bench.tine("run main.c --out strict --cflags -Werror=implicit-int");
    assert_eq!(strict.code, Some(3), "{strict}");
    assert_eq!(bench.tine("cc -c main.c").code, Some(1));
}

/// An undefined function does not prevent the exploration of a program. A weak one that is missing is NULL.
#[test]
fn calls_of_what_nothing_defines() {
    let text = "extern int __VERIFIER_nondet_int(void), elsewhere(int), hook(int) __attribute__((weak));\n\
                extern void reach_error(void);\n\
                int main(void) {\n    int x = __VERIFIER_nondet_int();\n    if (x == 78)\n        return elsewhere(x);\n    \
                if (hook)\n        return hook(x);\n    if (x == 77)\n        reach_error();\n    return 0;\n}\n";
    let bench = Bench::new(&[("main.c", text)]);
    let ran = bench.tine("run main.c --json");
    let mut found = errors(&ran.json());
    found.sort();
    let missing = ("call of an undefined function".to_owned(), 6);
    assert_eq!(found, [missing, ("reach_error".to_owned(), 10)], "{ran}");
    assert_eq!(ran.json()["verdict"], "complete", "{ran}");
}

/// Flags of other checkers and of link-time optimisation are left out wherever tine compiles.
#[test]
fn flags_of_sanitizers_do_no_harm() {
    let unit = "#include <stdlib.h>\nint f(int x) {\n    if (x == 77)\n        abort();\n    return 0;\n}\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    for (number, flag) in ["-fsanitize=address", "-fsanitize=fuzzer", "-flto"].into_iter().enumerate() {
        let ran = bench.tine(&format!("test unit.c --fn f --json --cflags {flag} --out out{number}"));
        assert_eq!(errors(&ran.json()), [("abort".to_owned(), 4)], "{flag}: {ran}");
    }
}
