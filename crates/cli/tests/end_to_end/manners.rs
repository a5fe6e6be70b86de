//! Repeated use in one directory: sessions by target, limits by default, exit codes, temporary files.

use std::fs;
use std::path::Path;

use crate::interrupts::{end, signal, start};
use crate::support::{Bench, MANY_PATHS, TWO_ERRORS, wait_for};

const SCALE: &str = "\
int scale(int x) {
    if (x == 0x1234)
        return 10 / (x - 0x1234);
    return x;
}
";

fn sessions(bench: &Bench) -> Vec<String> {
    let entries = fs::read_dir(bench.path("tine-out")).expect("a directory").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_finished_session_of_the_same_target_is_replaced() {
    let bench = Bench::new(&[("scale.c", SCALE), ("other.c", SCALE)]);
    for _ in 0..2 {
        let ran = bench.tine("test scale.c --fn scale");
        assert!(ran.code == Some(1) && ran.stdout.contains("replay: tine replay tine-out/scale 2"), "{ran}");
        assert_eq!(sessions(&bench), ["scale"]);
    }
    // There is only one session, so it need not be named.
    for command in ["show tine-out", "show", "show 2", "replay 2", "replay tine-out 2", "graph", "resume"] {
        let ran = bench.tine(command);
        assert!(ran.code == Some(0) || ran.code == Some(1), "{ran}");
        assert!(!ran.stderr.contains("error:") && !ran.stdout.is_empty(), "{ran}");
    }
    bench.fails("replay", 2, &["the number of the case is missing"]);
    assert_eq!(bench.tine("test scale.c --fn scale --keep-session").code, Some(1));
    assert_eq!(sessions(&bench), ["scale", "scale-2"]);
    bench.fails("show", 2, &["`tine-out` has sessions of 2 targets", "`tine-out/scale`, `tine-out/scale-2`"]);
    // The same name in another file is a different target.
    assert_eq!(bench.tine("test other.c --fn scale").code, Some(1));
    assert_eq!(sessions(&bench), ["scale", "scale-2", "scale-3"]);
    bench.is_tidy();
}

#[test]
fn an_unfinished_session_stays() {
    let bench = Bench::new(&[("unit.c", MANY_PATHS)]);
    let child = start(&bench, "test unit.c --fn f --max-time none");
    wait_for("a session", || bench.path("tine-out/f/session.db").exists());
    signal(&child, "KILL");
    end(child);
    let ran = bench.tine("test unit.c --fn f --max-runs 3");
    assert!(ran.code == Some(0) && ran.stderr.contains("`tine resume tine-out/f` continues it"), "{ran}");
    assert_eq!(sessions(&bench), ["f", "f-2"]);
    // The second session is finished: it reached a limit.
    assert_eq!(bench.tine("test unit.c --fn f --max-runs 3").code, Some(0));
    assert_eq!(sessions(&bench), ["f", "f-2"]);
    let ran = bench.tine("resume tine-out/f --max-runs 2");
    assert_eq!(ran.code, Some(0), "{ran}");
    bench.is_tidy();
}

#[test]
fn the_path_of_a_file_does_not_matter() {
    let bench = Bench::new(&[("scale.c", SCALE)]);
    fs::create_dir(bench.path("below")).expect("a directory");
    let table = |name: &str, folder: &str| {
        let mut command = bench.command(&format!("test {name} --out {folder}"));
        command.current_dir(bench.path(if name.starts_with("..") { "below" } else { "." }));
        let output = command.output().expect("tine starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().filter(|line| line.starts_with("scale ")).map(str::to_owned).collect::<Vec<_>>()
    };
    let plain = table("scale.c", "a");
    assert_eq!(plain.len(), 1, "{plain:?}");
    assert_eq!(table("./scale.c", "b"), plain);
    assert_eq!(table("../scale.c", "c"), plain);
}

#[test]
fn the_time_limit_is_named_and_can_be_lifted() {
    let bench = Bench::new(&[("unit.c", MANY_PATHS)]);
    let ran = bench.tine("test unit.c --fn f --max-time 300ms");
    assert!(ran.stdout.contains("--max-time reached (300ms)"), "{ran}");
    let stored = |options: &str| {
        let ran = bench.tine(&format!("test unit.c --fn f --max-runs 2 --out out {options}"));
        assert_eq!(ran.code, Some(0), "{ran}");
        let session = tine_session::Session::open(&bench.path("out")).expect("a session");
        let setting = session.setting("exploration").expect("settings").expect("settings");
        fs::remove_dir_all(bench.path("out")).expect("a session");
        setting["config"]["max-time"].clone()
    };
    assert_eq!(stored(""), "1m");
    assert_eq!(stored("--max-time none"), "none");
}

#[test]
fn results_that_fail_are_the_users_choice() {
    let bench = Bench::new(&[("unit.c", MANY_PATHS), ("errors.c", TWO_ERRORS)]);
    let code = |arguments: &str| bench.tine(arguments).code;
    let few = "test unit.c --fn f --max-runs 1";
    assert_eq!(code(few), Some(0));
    assert_eq!(code(&format!("{few} --fail-on incomplete")), Some(1));
    assert_eq!(code(&format!("{few} --min-coverage 100")), Some(1));
    assert_eq!(code(&format!("{few} --min-coverage 10")), Some(0));
    assert_eq!(code("test errors.c --fn f --fail-on incomplete"), Some(1), "errors count all the same");
    bench.fails("test unit.c --fn f --fail-on sometimes", 2, &["sometimes", "incomplete"]);
}

#[test]
fn errors_are_printed_when_they_are_found() {
    let bench = Bench::new(&[("scale.c", SCALE)]);
    let ran = bench.tine("test scale.c --fn scale");
    assert!(ran.stderr.starts_with("found: division by zero at ") && ran.stderr.contains("(case 2)"), "{ran}");
    assert!(!ran.stdout.contains("solver:"), "{ran}");
    let ran = bench.tine("test scale.c --fn scale --quiet --verbose");
    assert!(ran.stderr.is_empty() && ran.stdout.contains("\nsolver: "), "{ran}");
}

#[test]
fn suggestions_are_lines_to_paste() {
    let unit = "extern int elsewhere(int);\nint f(const int *p, int n, int x) {\n    int s = 0;\n    \
                for (int i = 0; p && i < n; i++)\n        s += p[i] == 7;\n    \
                if (x == 5)\n        s += elsewhere(x);\n    return s;\n}\n";
    let bench = Bench::new(&[("unit.c", unit), ("many.c", MANY_PATHS)]);
    let ran = bench.tine("test unit.c --fn f");
    let lines: Vec<&str> = ran.stdout.lines().filter_map(|line| line.strip_prefix("try: tine ")).collect();
    assert!((1..=3).contains(&lines.len()), "{ran}");
    assert_eq!(lines[0], "test unit.c --fn f --stub elsewhere", "{ran}");
    // The suggested command works, and is not suggested again.
    let again = bench.tine(lines[0]);
    assert!(
        !again.stdout.contains("undefined function") && !again.stdout.contains("--stub elsewhere --stub"),
        "{again}"
    );
    let ran = bench.tine("test many.c --fn f --max-runs 2");
    assert!(ran.stdout.contains("\ntry: tine test many.c --fn f --max-runs 20\n"), "{ran}");
}

#[test]
fn an_undefined_function_in_a_sequence_is_an_error_where_it_is_called() {
    let unit = "struct o { int n; };\nextern void elsewhere(int);\nvoid init(struct o *x) { x->n = 0; }\n\
                void add(struct o *x, int v) {\n    if (v == 5)\n        x->n++;\n    \
                if (v == 1000)\n        elsewhere(v);\n}\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    let ran = bench.tine("sequence unit.c --calls 'init,add*' --max-calls 3 --json");
    assert_eq!(ran.code, Some(1), "{ran}");
    assert_eq!(ran.json()["errors"][0]["kind"], "call of an undefined function", "{ran}");
    assert_eq!(ran.json()["undefined_symbols"][0]["function"], "elsewhere", "{ran}");
}

#[test]
fn a_new_start_removes_the_files_of_a_killed_one() {
    let bench = Bench::new(&[("unit.c", MANY_PATHS)]);
    let child = start(&bench, "test unit.c --fn f --max-time none");
    wait_for("a session", || bench.path("tine-out/f/session.db").exists());
    signal(&child, "KILL");
    end(child);
    // The unit's children close its files once they notice its end.
    wait_for("the end of the unit", || {
        bench.tine("strategies");
        let temporary = bench.path("../tmp");
        fs::read_dir(Path::new(&temporary)).expect("a directory").next().is_none()
    });
}
