//! Whole programs: arguments, files, standard input and environment variables as inputs.

use std::fs;
use std::process::Command;

use crate::support::{Bench, Ran, errors, ran};

/// Expected output of the program: lines that begin with a bar.
fn said(text: &str) -> Vec<String> {
    text.lines().filter(|line| line.starts_with("| ")).map(str::to_owned).collect()
}

/// Runs the script of `tine show SESSION CASE --shell` with a program in a new directory.
fn natively(bench: &Bench, case: &str, program: &str) -> String {
    let script = bench.tine(&format!("show out {case} --shell"));
    assert_eq!(script.code, Some(0), "{script}");
    let folder = bench.path(&format!("natively-{case}"));
    fs::create_dir_all(&folder).expect("a directory");
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(&script.stdout).env("PROGRAM", bench.path(program)).current_dir(folder);
    String::from_utf8_lossy(&shell.output().expect("a shell").stdout).into_owned()
}

fn cases(bench: &Bench) -> Vec<String> {
    let list = bench.tine("show out");
    assert_eq!(list.code, Some(0), "{list}");
    list.stdout.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

/// Symbolic files behave like real files: every path of a program that uses all operations is compared with the native
/// program on real files with the same contents.
#[test]
fn files_behave() {
    let bench = Bench::new(&[("files.c", include_str!("programs/files.c"))]);
    bench.compile("files.c", "program");
    let native = Command::new("clang-22").args(["-w", "files.c", "-o", "native"]).current_dir(bench.path(".")).status();
    assert!(native.expect("clang-22 runs").success());
    let explored = bench.tine("run ./program --sym-stdin 3 --sym-file input,3 --out out --keep-all --json");
    assert_eq!(explored.code, Some(0), "{explored}");
    assert_eq!(explored.json()["verdict"], "complete", "{explored}");
    let cases = cases(&bench);
    assert!(cases.len() > 50, "{explored}");
    // Running all of them takes long. These differ enough.
    for case in cases.iter().step_by(cases.len() / 40) {
        let replayed = bench.tine(&format!("replay out {case}"));
        let (expected, found) = (said(&natively(&bench, case, "native")), said(&replayed.stdout));
        assert!(expected.len() > 60, "{expected:?}");
        let differs = found.iter().zip(&expected).find(|(found, expected)| found != expected);
        assert!(differs.is_none() && found.len() == expected.len(), "case {case}: {differs:?} in {replayed}");
    }
}

/// C files instead of a program: it is built first, and stored in the session.
#[test]
fn c_files_are_built() {
    let main = "extern int __VERIFIER_nondet_int(void);\nint key(void);\n\
        int main(void) { int x = __VERIFIER_nondet_int(); if (x == key()) __builtin_trap(); if (x > 7) return 1; return 0; }\n";
    let lacks = "extern int key;\nint main(void) { return key; }\n";
    let bench = Bench::new(&[("main.c", main), ("key.c", "int key(void) { return KEY; }\n"), ("lacks.c", lacks)]);
    let explored = bench.tine("run main.c key.c --cflags -DKEY=4711 --json --out out --testcomp suite --max-runs 1");
    assert_eq!(explored.json()["stopped"], "max-runs", "{explored}");
    let resumed = bench.tine("resume out --max-runs 100 --json");
    assert_eq!((resumed.code, &resumed.json()["verdict"]), (Some(1), &"complete".into()), "{resumed}");
    assert_eq!(resumed.json()["target"], "main");
    let suite: Vec<_> = fs::read_dir(bench.path("suite")).expect("a suite").collect();
    assert!(suite.len() > 2, "{suite:?}");
    let case = &cases(&bench)[0];
    assert!(bench.tine(&format!("show out {case} --shell")).stdout.contains("out/program"));
    let error = resumed.json()["errors"][0]["case"].to_string();
    let replayed = bench.tine(&format!("replay out {error}"));
    assert_eq!(replayed.code, Some(1), "{replayed}");
    for (arguments, message) in [
        ("run main.c program", "program is not a C source file"),
        ("run lacks.c", "does not compile or link"),
        ("run nothing.c", "nothing.c: no such file"),
    ] {
        let refused = bench.tine(&format!("{arguments} --out other"));
        assert!(refused.stderr.contains(message), "{refused}");
        assert!(!bench.path("other/session.db").exists(), "{refused}");
    }
}

/// `int main` with this body, built and explored.
fn explore(body: &str, flags: &str) -> (Bench, Ran) {
    let headers = [
        "errno.h",
        "fcntl.h",
        "locale.h",
        "poll.h",
        "stdio.h",
        "stdlib.h",
        "string.h",
        "sys/select.h",
        "sys/uio.h",
        "time.h",
        "unistd.h",
        "wchar.h",
        "wctype.h",
    ];
    let includes: String = headers.iter().map(|name| format!("#include <{name}>\n")).collect();
    let text = format!("#define _GNU_SOURCE\n{includes}int main(int argc, char **argv) {{\n{body}\nreturn 0;\n}}\n");
    let bench = Bench::new(&[("main.c", &text)]);
    bench.compile("main.c", "program");
    let ran = bench.tine(&format!("run ./program --json --out out {flags}"));
    (bench, ran)
}

#[track_caller]
fn finds(body: &str, flags: &str, input: &str) {
    let (_, ran) = explore(body, flags);
    assert_eq!(ran.code, Some(1), "{ran}");
    let found = ran.json()["errors"][0]["input"].as_str().unwrap_or("").to_owned();
    assert!(found.contains(input), "`{input}` is not in `{found}`: {ran}");
}

#[test]
fn arguments_are_of_every_number_and_length() {
    finds("if (argc == 3 && strlen(argv[1]) == 2 && !*argv[2]) abort();", "--sym-argv 2,3", "argv[2] = \"\"");
    finds("if (argc == 3 && !strcmp(argv[1], \"-x\") && *argv[2] == 'q') abort();", "--sym-argv 1,1 -- -x", "\"q\"");
    let (_, ran) =
        explore("if (argc > 3 || argc == 3 && strlen(argv[2]) > 2 || argv[argc]) abort();", "--sym-argv 2,2");
    assert_eq!((ran.code, &ran.json()["verdict"]), (Some(0), &"complete".into()), "{ran}");
}

#[test]
fn a_variable_is_set_or_not() {
    let body = "char *v = getenv(\"V\"); if (v && strlen(v) == 2 && v[1] == 'b') abort(); \
                if (!v && getenv(\"W\") && !*getenv(\"W\")) abort();";
    let (_, ran) = explore(body, "--sym-env V,3 --sym-env W,1");
    assert_eq!(errors(&ran.json()).len(), 2, "{ran}");
    let (bench, ran) = explore("char *v = getenv(\"V\"); if (!v) abort();", "--sym-env V,3");
    assert_eq!(errors(&ran.json()).len(), 1, "{ran}");
    assert_eq!(cases(&bench).len(), 2, "{ran}");
}

#[test]
fn time_and_chance_are_inputs_when_asked() {
    finds("if (time(NULL) == 1234567890) abort();", "--sym-time", "time = 1234567890");
    finds("struct timespec t; clock_gettime(0, &t); if (t.tv_nsec == 77) abort();", "--sym-time", "nanoseconds = 77");
    finds("srand(1); if (rand() == 4 && random() % 100 == 7) abort();", "--sym-random", "rand = 4");
    let (_, ran) = explore("if (time(NULL) < 1000 || rand() < 0) abort();", "--sym-random");
    assert_eq!((ran.code, &ran.json()["verdict"]), (Some(0), &"complete".into()), "{ran}");
}

/// Conditions on the library's results for a string become conditions on the string.
#[test]
fn conditions_go_through_models() {
    let read = "char s[9] = \"\"; char *end; read(0, s, 8);";
    finds(
        &format!("{read} if (strtod(s, &end) == 2.5 && *end == 'x') abort();"),
        "--sym-stdin 4 --max-runs 20000",
        "x",
    );
    finds(&format!("{read} if (strtof(s, 0) == 0.125f) abort();"), "--sym-stdin 5 --max-runs 40000", "stdin");
    finds(&format!("{read} if (atof(s) < -3 && s[0] == ' ') abort();"), "--sym-stdin 4 --max-runs 20000", "-");
    let wide = "wchar_t w; mbstate_t state = {0}; if (mbrtowc(&w, s, 8, &state) == 1 && towupper(w) == 'Q' && s[0] != 'Q') abort();";
    finds(&format!("{read} {wide}"), "--sym-stdin 3", "\"q");
    finds(
        &format!("setlocale(LC_ALL, \"\"); {read} if (iswpunct(btowc(s[0])) && wcwidth(s[1]) < 0) abort();"),
        "--sym-stdin 2",
        "",
    );
}

/// Values that a model passes to the library are lost at the user's call of the model.
#[test]
fn losses_are_at_the_users_line() {
    let body = "char s[40] = \"1234567890123456\"; read(0, s, 1); double d = 0;\n#line 70\n    d = strtod(s, NULL);\n    return d < 5;";
    let (_, ran) = explore(body, "--sym-stdin 1");
    let reasons = ran.json()["reasons"].clone();
    let lost: Vec<_> = reasons.as_array().expect("a list").iter().filter(|r| r["line"] == 70).collect();
    assert_eq!(lost.len(), 1, "{ran}");
    assert_eq!(lost[0]["what"], "input flows into `strtod`, which is not instrumented", "{ran}");
    assert!(lost[0]["file"].as_str().is_some_and(|file| file.ends_with("main.c")), "{ran}");
}

#[test]
fn what_it_writes_to_a_name_is_read_back() {
    finds(
        "FILE *f = fopen(\"data\", \"r\"); if (getc(f) == 'y' && getc(f) == EOF) abort();",
        "--sym-file ./data,2",
        "data = \"y\"",
    );
}

/// Functions without a model read the same bytes, and lost symbolic values are reported.
#[test]
fn other_readers_see_the_same_bytes() {
    let body = "FILE *f = fopen(\"data\", \"r\"); int c = getc(f); rewind(f); int w = getw(f);
                if (c == 'y' && !feof(f) && (w & 255) != 'y') abort();";
    let (_, ran) = explore(body, "--sym-file data,5");
    assert_eq!((ran.code, &ran.json()["verdict"]), (Some(0), &"incomplete".into()), "{ran}");
    assert_eq!(ran.json()["reasons"].as_array().map(Vec::len), Some(1), "{ran}");
}

#[test]
fn bad_options_are_explained() {
    let bench = Bench::new(&[("main.c", "int main(void) { return 0; }\n")]);
    bench.compile("main.c", "program");
    for (flags, part) in [
        ("--sym-argv 3", "N,LEN"),
        ("--sym-argv 99,3", "from 1 to 16"),
        ("--sym-stdin 0", "from 1 to 65536"),
        ("--sym-file data", "NAME,LEN"),
        ("--sym-file data,many", "invalid length `many`"),
        ("--sym-env A=B,3", "invalid variable name"),
    ] {
        bench.fails(&format!("run ./program {flags}"), 2, &[part]);
    }
    let many: String = (0..17).map(|k| format!(" --sym-file f{k},1")).collect();
    bench.fails(&format!("run ./program {many}"), 2, &["at most 16 files"]);
}

/// `tine show --shell` rejects a case of a unit, which is not a program.
#[test]
fn a_case_of_a_unit_is_no_script() {
    let bench = Bench::new(&[("unit.c", "int f(int x) { return x == 3; }\n")]);
    let ran = bench.tine("test unit.c --fn f --out out");
    assert_eq!(ran.code, Some(0), "{ran}");
    let shown = ran_show(&bench);
    assert_eq!(shown.code, Some(2), "{shown}");
    assert!(shown.stderr.contains("not that of a program"), "{shown}");
}

fn ran_show(bench: &Bench) -> Ran {
    ran("show", &mut bench.command("show out 1 --shell"))
}

/// A program that reads a number with a checksum: nothing to solve for if a seed input has a correct one.
const GUARDED: &str = "char b[6]; if (fread(b, 1, 6, stdin) == 6 && b[0] * 7919 % 1000 == b[1] * 31 + b[2]) \
                       if (b[3] == 'b' && b[4] == 'u' && b[5] == 'g') abort();";

#[test]
fn seeds_are_explored_first_and_a_corpus_is_written() {
    let (bench, _) = explore(GUARDED, "--sym-stdin 6 --max-runs 1");
    fs::create_dir(bench.path("seeds")).expect("a directory");
    for (name, bytes) in [("a", &b"nothing to see"[..]), ("b", b""), ("c", b"12")] {
        fs::write(bench.path("seeds").join(name), bytes).expect("a file");
    }
    let run = "run ./program --sym-stdin 6 --seed-input seeds --corpus corpus --json";
    let ran = bench.tine(&format!("{run} --max-runs 4 --keep-all --out seeded"));
    assert!(ran.stderr.contains("1 of 3 seeds are longer"), "{ran}");
    let mut corpus: Vec<Vec<u8>> = files(&bench, "corpus").into_iter().map(|(_, bytes)| bytes).collect();
    corpus.sort();
    // The first run's input is empty, too.
    assert_eq!(corpus, [&b""[..], b"12", b"nothin"], "{ran}");
    let names = files(&bench, "corpus").into_iter().map(|(name, _)| name);
    assert!(names.clone().all(|name| name.starts_with("id:00000")), "{:?}", names.collect::<Vec<_>>());
    // Another run adds new inputs under other names.
    let before = files(&bench, "corpus");
    let ran = bench.tine("run ./program --sym-stdin 6 --seed-input corpus --corpus corpus --json --out again");
    assert_eq!(ran.code, Some(1), "{ran}");
    let after = files(&bench, "corpus");
    assert!(before.iter().all(|file| after.contains(file)) && after.len() > before.len(), "{after:?}");
    assert!(after.iter().any(|(_, bytes)| bytes.ends_with(b"bug")), "{after:?}");
    bench.fails("run ./program --sym-stdin 6 --seed-input none --out other", 2, &["--seed-input none", "No such file"]);
    bench.fails("run ./program --sym-argv 1,6 --seed-input seeds --out other", 2, &["only arguments are symbolic"]);
}

/// The files of a directory with their contents, by name.
fn files(bench: &Bench, folder: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(bench.path(folder)).expect("a directory").flatten();
    let file = |entry: fs::DirEntry| {
        (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).expect("a file"))
    };
    let mut files: Vec<_> = entries.map(file).collect();
    files.sort();
    files
}

/// The suite contains the program's requests, in order. The native program reads them back.
#[test]
fn a_suite_for_test_comp() {
    let text = "#include <stdio.h>\nextern int __VERIFIER_nondet_int(void);\n\
                extern unsigned char __VERIFIER_nondet_uchar(void);\nextern void reach_error(void);\n\
                int main(void) {\n    int x = __VERIFIER_nondet_int();\n    unsigned char y = __VERIFIER_nondet_uchar();\n    \
                if (x == -77 && y == 200)\n        reach_error();\n    return 0;\n}\n";
    let bench = Bench::new(&[("main.c", text)]);
    bench.compile("main.c", "program");
    let ran = bench.tine("run ./program --testcomp suite --json");
    assert_eq!(ran.code, Some(1), "{ran}");
    let suite = files(&bench, "suite");
    let text = |name: &str| {
        let bytes = &suite.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("no {name}")).1;
        String::from_utf8_lossy(bytes).into_owned()
    };
    let metadata = text("metadata.xml");
    let sum = Command::new("sha256sum").arg(bench.path("main.c")).output().expect("sha256sum runs");
    let sum = String::from_utf8_lossy(&sum.stdout).split(' ').next().unwrap_or("").to_owned();
    assert!(metadata.contains(&format!("<programhash>{sum}</programhash>")), "{metadata}");
    assert!(metadata.contains("/main.c</programfile>"), "{metadata}");
    let case = ran.json()["errors"][0]["case"].as_u64().expect("a case");
    let error = text(&format!("testcase-{case}.xml"));
    assert!(error.contains("<testcase coversError=\"true\">\n  <input>-77</input>\n  <input>200</input>\n"), "{error}");
    assert_eq!(suite.len(), 1 + cases_of(&bench, "tine-out").len(), "{ran}");
}

fn cases_of(bench: &Bench, session: &str) -> Vec<String> {
    bench.tine(&format!("show {session}")).stdout.lines().map(str::to_owned).collect()
}

/// C++ and C in one program: both compile, link and run, with exceptions and the standard library. Input read by C is
/// symbolic.
#[test]
fn c_plus_plus_beside_c() {
    let parse = "#include <stdlib.h>\n#include <unistd.h>\nint parse(void) {\n    char b[3];\n    \
                 if (read(0, b, 3) == 3 && b[0] == 'c' && b[1] == '+' && b[2] == '+')\n        abort();\n    return 4;\n}\n";
    let main = "#include <iostream>\n#include <string>\n#include <vector>\nextern \"C\" int parse(void);\n\
                int main() {\n    std::vector<std::string> v(3, \"ab\");\n    \
                try {\n        if (v.size() == 3)\n            throw parse();\n    } catch (int n) {\n        \
                std::cout << \"caught \" << n << v[2] << std::endl;\n    }\n    return 0;\n}\n";
    let bench = Bench::new(&[("parse.c", parse), ("main.cc", main)]);
    for command in ["cc -g -c parse.c -o parse.o", "c++ -g main.cc parse.o -o program"] {
        let ran = bench.tine(command);
        assert_eq!(ran.code, Some(0), "{ran}");
    }
    let alone = Command::new(bench.path("program")).stdin(std::process::Stdio::null()).output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&alone.stdout), "caught 4ab\n");
    let ran = bench.tine("run ./program --sym-stdin 3 --json");
    assert_eq!(errors(&ran.json()), [("abort".to_owned(), 6)], "{ran}");
}

/// A stream that is opened again reads from the start, with either name of the functions.
#[test]
fn streams_are_opened_again() {
    for suffix in ["", "64"] {
        let body = format!(
            "FILE *file = fopen{suffix}(\"input\", \"r\");\nif (getc(file) != 'x') return 0;\n\
             file = freopen{suffix}(\"input\", \"r\", file);\nif (getc(file) == 'x' && getc(file) == 'y') abort();"
        );
        finds(&body, "--sym-file input,2", "input = \"xy\"");
    }
}

/// A nondeterministic program is explored as far as possible: a repeated run of a parent may take other decisions.
#[test]
fn a_program_that_is_not_the_same_each_time() {
    let body = r"char s[5] = {0}; long n = read(0, s, 4); struct timespec t; clock_gettime(CLOCK_REALTIME, &t);
        for (long i = t.tv_nsec / 64 % 3; i < n; i++) {
            switch (t.tv_nsec % 4) {
            case 0: if (s[i] == 'a') puts(s); break;
            case 1: if (s[i] < 'b') puts(s); break;
            case 2: if (s[i] == 'c') puts(s); break;
            case 3: if (s[i] > 'd') puts(s); break;
            }
        }";
    // A search that returns to old runs has to repeat them.
    let (_, explored) = explore(body, "--sym-stdin 4 --max-runs 400 --strategy random-path");
    assert_eq!(explored.code, Some(0), "{explored}");
    assert!(explored.json()["divergences"].as_u64() > Some(0), "{explored}");
}

/// `scanf` and `fscanf` on symbolic files: every path, compared with the library on the same bytes.
#[test]
fn formats_are_read_as_the_library_reads_them() {
    let bench = Bench::new(&[("scan.c", include_str!("programs/scan.c"))]);
    bench.compile("scan.c", "program");
    let native = Command::new("clang-22").args(["-w", "scan.c", "-o", "native"]).current_dir(bench.path(".")).status();
    assert!(native.expect("clang-22 runs").success());
    for format in 0..6 {
        fs::remove_dir_all(bench.path("out")).ok();
        let explored = bench.tine(&format!("run ./program --sym-stdin 3 --out out --keep-all --json -- {format}"));
        assert_eq!((explored.code, &explored.json()["verdict"]), (Some(0), &"complete".into()), "{explored}");
        let cases = cases(&bench);
        assert!(cases.len() >= 5, "{explored}");
        for case in cases.iter().step_by(cases.len().div_ceil(25)) {
            let (replayed, expected) = (bench.tine(&format!("replay out {case}")), natively(&bench, case, "native"));
            let expected = said(&expected);
            assert_eq!(
                (said(&replayed.stdout), expected.len()),
                (expected, 1),
                "format {format}, case {case}: {replayed}"
            );
        }
    }
}

/// `copy_file_range` from a symbolic file: every number of bytes, compared with the kernel.
#[test]
fn files_are_copied() {
    let bench = Bench::new(&[("copies.c", include_str!("programs/copies.c"))]);
    bench.compile("copies.c", "program");
    let native =
        Command::new("clang-22").args(["-w", "copies.c", "-o", "native"]).current_dir(bench.path(".")).status();
    assert!(native.expect("clang-22 runs").success());
    let explored = bench.tine("run ./program --sym-stdin 3 --out out --keep-all --json");
    assert_eq!(explored.code, Some(0), "{explored}");
    let cases = cases(&bench);
    assert_eq!(cases.len(), 4, "{explored}");
    for case in &cases {
        let (replayed, expected) = (bench.tine(&format!("replay out {case}")), natively(&bench, case, "native"));
        assert_eq!(said(&replayed.stdout), said(&expected), "case {case}: {replayed}");
    }
}

/// A long start-up is done once, and the results do not change.
#[test]
fn a_start_up_is_done_once() {
    let body = "static unsigned table[4096]; \
                for (unsigned i = 0; i < 50000000; i++) table[i & 4095] = table[(i * 7) & 4095] * 31 + i; \
                printf(\"ready\\n\"); char s[8] = \"\"; int n = read(0, s, 4); \
                if (n == 4 && s[0] == 'f' && table[(unsigned char)s[2]] == table[5]) abort(); \
                if (!strcmp(s, \"bar\")) abort(); return n;";
    let explored = ["on", "off"].map(|switch| {
        let (bench, ran) =
            explore(body, &format!("--sym-stdin 4 --jobs 1 --run-timeout 20s --keep all --fork-server {switch}"));
        assert_eq!((ran.code, &ran.json()["verdict"]), (Some(1), &"complete".into()), "{ran}");
        let (runs, forked) = (ran.json()["runs"].as_u64(), ran.json()["forked"].as_u64());
        // Every error was reproduced by an additional run.
        let n_errors = ran.json()["errors"].as_array().map_or(0, Vec::len) as u64;
        assert_eq!(forked, if switch == "on" { runs.map(|runs| runs - 1 + n_errors) } else { Some(0) }, "{ran}");
        let inputs = cases(&bench).into_iter().map(|case| bench.tine(&format!("show out {case}")).stdout);
        let json = ran.json();
        let numbers = ["paths", "branches_covered", "open"].map(|name| json[name].clone());
        let of_error =
            |name| json["errors"].as_array().expect("a list").iter().map(|error| error[name].clone()).collect();
        let errors: [Vec<_>; 3] = ["line", "kind", "input"].map(of_error);
        (inputs.collect::<Vec<_>>(), numbers, errors)
    });
    assert_eq!(explored[0], explored[1]);
}

/// Arguments are inputs from the start, so there is no start-up to save.
#[test]
fn a_start_up_after_inputs_is_done_in_every_run() {
    let body =
        "volatile unsigned x = 0; for (unsigned i = 0; i < 20000000; i++) x += i; return argc > 1 && *argv[1] == 'x';";
    let (_, ran) = explore(body, "--sym-argv 1,1 --run-timeout 20s");
    assert_eq!((ran.code, ran.json()["forked"].as_u64()), (Some(0), Some(0)), "{ran}");
}

/// Unusual ways to access standard input and files.
#[test]
fn inputs_are_read_in_unusual_ways() {
    let stdin = [
        "int d = open(\"/dev/stdin\", O_RDONLY); char c; if (read(d, &c, 1) == 1 && c == 'q') abort();",
        "FILE *f = fopen(\"/proc/self/fd/0\", \"r\"); if (getc(f) == 'q') abort();",
        "struct pollfd p = {0, POLLIN, 0}; char c; if (poll(&p, 1, 9) == 1 && p.revents == POLLIN && read(0, &c, 1) == 1 && c == 'q') abort();",
        "if (fgetwc(stdin) == L'q' && getwchar() == WEOF) abort();",
        "wint_t w = getwc(stdin); ungetwc(w, stdin); wchar_t s[4]; if (fgetws(s, 4, stdin) && s[0] == L'q') abort();",
        "char a[1], b[1]; struct iovec v[2] = {{a, 1}, {b, 1}}; if (readv(0, v, 2) == 2 && a[0] == b[0] && b[0] == 'q') abort();",
        "int c = getchar(); ungetc('Q', stdin); if (getchar() == 'Q' && c == 'q' && getchar() == EOF) abort();",
        "char s[3] = \"xx\"; if (fgets(s, 1, stdin) && !s[0] && fgets(s, 3, stdin) && !strcmp(s, \"q\\n\")) abort();",
        "char *text; if (asprintf(&text, \"<%c>\", getchar()) == 3 && !strcmp(text, \"<q>\")) abort();",
        "FILE *f = fdopen(dup(0), \"r\"); if (getc(f) == 'q') abort();",
        "char s[3]; int n = read(0, s, 2); FILE *f = fmemopen(s, n, \"r\"); if (fileno(f) == -1 && getc(f) == 'q' && getc(f) == EOF) abort();",
        "char s[3] = {0}; read(0, s, 2); for (int i = 0; i < 40; i++) { FILE *f = fmemopen(s, 2, \"rb\"); fseek(f, -1, SEEK_END);
         if (i == 39 && getc(f) == 'q' && feof(f) == 0 && getc(f) < 0 && feof(f)) abort(); fclose(f); }",
    ];
    for body in stdin {
        finds(body, "--sym-stdin 2", "q");
    }
    let open = "int d = open(\"f\", O_RDONLY); char c;";
    let file = [
        "struct pollfd p[2] = {{-1, POLLIN, 0}, {d, POLLIN, 0}}; if (poll(p, 2, -1) != 1 || p[1].revents != POLLIN) exit(1);",
        "fd_set s; FD_ZERO(&s); FD_SET(d, &s); if (select(d + 1, &s, 0, 0, 0) != 1 || !FD_ISSET(d, &s)) exit(1);",
        "if (dup2(d, 0) != 0) exit(1); close(d); d = 0;",
        "if (lseek(d, 50, SEEK_SET) != 50 || read(d, &c, 1) != 0 || lseek(d, 0, SEEK_SET) != 0) exit(1);",
    ];
    for body in file {
        finds(&format!("{open} {body} if (read(d, &c, 1) == 1 && c == 'q') abort();"), "--sym-file f,2", "f = \"q");
    }
}

/// Shadows do not pass through the kernel or the library's buffers. If a program may read back its own output, that is
/// reported.
#[test]
fn what_may_be_read_back_is_told() {
    let read = "char c = 0, d = 0; read(0, &c, 1);";
    let ways = [
        "int p[2]; pipe(p); write(p[1], &c, 1); read(p[0], &d, 1);",
        "char *s; size_t n; FILE *f = open_memstream(&s, &n); fputc(c, f); fclose(f); d = s[0];",
        "char s[2]; FILE *f = fmemopen(s, 2, \"w\"); fputc(c, f); fclose(f); d = s[0];",
        "FILE *f = fopen(\"kept\", \"w\"); fputc(c, f); fclose(f); f = fopen(\"kept\", \"r\"); d = getc(f);",
        "FILE *f = fopen(\"kept\", \"w+\"); fputc(c, f); rewind(f); d = getc(f);",
        "int o = open(\"kept\", O_RDWR | O_CREAT, 0600); write(o, &c, 1); lseek(o, 0, SEEK_SET); read(o, &d, 1);",
    ];
    for way in ways {
        let (_, ran) = explore(&format!("{read}\n#line 40\n{way} if (d == 'q') abort();"), "--sym-stdin 1");
        let json = ran.json();
        assert_eq!(json["verdict"], "incomplete", "{way}: {ran}");
        let is_reported = json["reasons"].as_array().expect("a list").iter().any(|reason| {
            reason["what"].as_str().is_some_and(|what| what.contains("reads back")) && reason["line"] == 40
        });
        assert!(is_reported, "{way}: {ran}");
    }
    let (_, ran) =
        explore(&format!("{read} FILE *f = fopen(\"kept\", \"w\"); fputc(c, f); return c == 'q';"), "--sym-stdin 1");
    assert_eq!(ran.json()["verdict"], "complete", "output does not make the verdict incomplete: {ran}");
    let (_, ran) = explore("int p[2] = {0}; read(0, p, 8); return p[1] == 7 || pipe(p);", "--sym-stdin 8");
    assert_eq!(
        ran.json()["reasons"].as_array().map(Vec::len),
        Some(1),
        "nothing flows into what is only filled in: {ran}"
    );
}
