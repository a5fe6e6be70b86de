//! The locale of a program depends on the options or an input, not on the user, wherever the case is run again.

use std::process::Command;

use crate::support::{Bench, Ran, errors, ran};

/// Characters of two bytes and of three, and the results of library functions on them.
const PROGRAM: &str = "\
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
int main(void) {
    char s[9] = \"\";
    wchar_t w = 0;
    mbstate_t state = {0};
    const char *locale = setlocale(LC_ALL, \"\");
    if (!locale) locale = \"unknown\";
    wchar_t t[9];
    int known = swprintf(t, 9, L\"%s\", \"\\xe2\\x82\\xac\");
    read(0, s, 8);
    size_t n = mbrtowc(&w, s, 8, &state);
    printf(\"| %s %s %zu %zd %d %d\\n\", locale, nl_langinfo(CODESET), MB_CUR_MAX, n, mbsinit(&state), known);
    if (n == 2 && w == 0xe9) abort();
    if (n == 3 && w == 0x20ac) exit(7);
    return 0;
}
";

fn built(program: &str) -> Bench {
    let bench = Bench::new(&[("main.c", program)]);
    bench.compile("main.c", "program");
    let native = Command::new("clang-22").args(["-w", "main.c", "-o", "native"]).current_dir(bench.path(".")).status();
    assert!(native.expect("clang-22 runs").success());
    bench
}

/// Runs tine as a user with this locale.
fn tine(bench: &Bench, user: &str, arguments: &str) -> Ran {
    ran(arguments, bench.command(arguments).env("LC_ALL", user).env("LC_CTYPE", user))
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with("| ")).collect()
}

/// Runs each case natively, by tine and by its script, under several locales. Returns the number of cases with each
/// output.
fn said<const N: usize>(bench: &Bench, what: [&str; N]) -> [usize; N] {
    let list = tine(bench, "C", "show out").stdout;
    let mut counts = [0; N];
    for case in list.lines().filter_map(|line| line.split(' ').next()) {
        let replayed = tine(bench, "C.UTF-8", &format!("replay out {case}"));
        let script = tine(bench, "C", &format!("show out {case} --shell")).stdout;
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(&script).current_dir(bench.path(".")).env("PROGRAM", bench.path("native"));
        let output = shell.env("LC_ALL", "C.UTF-8").output().expect("a shell");
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(lines(&replayed.stdout), lines(&printed), "{replayed}{script}");
        assert_eq!(replayed.stdout.contains("exit code 7"), output.status.code() == Some(7), "{replayed}{script}");
        for (count, what) in counts.iter_mut().zip(what) {
            *count += usize::from(replayed.stdout.contains(what));
        }
    }
    counts
}

#[test]
fn programs_are_in_the_c_locale() {
    let bench = built(PROGRAM);
    let explored = tine(&bench, "C.UTF-8", "run ./program --json --sym-stdin 4 --out out --keep all");
    assert_eq!((explored.code, &explored.json()["verdict"]), (Some(0), &"complete".into()), "{explored}");
    assert_eq!(said(&bench, ["| C ANSI_X3.4-1968 1 "]), [9], "{explored}");
}

#[test]
fn characters_of_several_bytes() {
    let bench = built(PROGRAM);
    let explored =
        tine(&bench, "C", "run ./program --json --locale C.UTF-8 --sym-stdin 4 --max-runs 3 --out out --keep all");
    assert_eq!(explored.json()["stopped"], "max-runs", "{explored}");
    let explored = tine(&bench, "C", "resume out --json --max-runs 500");
    assert_eq!(errors(&explored.json()), [("abort".to_owned(), 20)], "{explored}");
    // The three cases that abort print nothing; with three bytes and with four.
    assert_eq!(said(&bench, ["| C.UTF-8 UTF-8 6 ", "exit code 7"]), [50, 2], "{explored}");
}

#[test]
fn a_variable_chooses_the_locale() {
    let bench = built(PROGRAM);
    let explored = tine(&bench, "C", "run ./program --json --sym-env LC_ALL,7 --sym-stdin 4 --out out");
    let found = explored.json()["errors"][0]["input"].as_str().unwrap_or("").to_owned();
    assert!(found.contains("LC_ALL = \"C.UTF-8\"") || found.contains("LC_ALL = \"C.utf8\""), "{explored}");
    assert_eq!(said(&bench, ["ended by signal 6"]), [1], "{explored}");
    bench.fails("run ./program --locale de_DE --out other", 2, &["de_DE", "C.UTF-8"]);
}

/// Wide-character streams, including `ungetwc`. The library's result for a file that ends within a character depends on
/// earlier characters.
#[test]
fn wide_streams() {
    let bench = built(
        "#include <locale.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <wchar.h>\n\
         int main(void) {\n    setlocale(LC_ALL, \"\");\n    wint_t w, last = 0;\n    int back = 0, n = 0;\n\
         while ((w = getwchar()) != WEOF) {\n        n++;\n        if (w == 0xe9 && !back++) ungetwc(w, stdin);\n\
         if (last == 0x20ac) exit(7);\n        last = w;\n    }\n\
         printf(\"| %d\\n\", n);\n    return 0;\n}\n",
    );
    let explored = tine(&bench, "C", "run ./program --json --locale C.UTF-8 --sym-stdin 4 --max-runs 900 --out out");
    let paths = explored.json()["paths"].as_u64().unwrap_or(0);
    assert_eq!(
        (explored.code, &explored.json()["verdict"], paths > 99),
        (Some(0), &"complete".into(), true),
        "{explored}"
    );
    assert!(said(&bench, ["exit code 7"])[0] > 0, "{explored}");
}
