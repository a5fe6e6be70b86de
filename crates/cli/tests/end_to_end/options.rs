//! Effects of the options, and contents of the summary.

use std::fs;

use serde_json::Value;

use crate::support::{Bench, MANY_PATHS, TWO_ERRORS, errors};

/// Prints on both streams. This output must not appear.
const CHATTY: &str = "\
#include <stdio.h>
int f(int x) {
    puts(\"noise on stdout\");
    fflush(stdout);
    fputs(\"noise on stderr\\n\", stderr);
    if (x == 77)
        __builtin_trap();
    return x;
}
";

#[test]
fn exit_codes() {
    let bench = Bench::new(&[("fine.c", "int f(int x) { return x > 3; }\n"), ("wrong.c", TWO_ERRORS)]);
    let fine = bench.tine("test fine.c --fn f --out fine");
    assert_eq!(fine.code, Some(0), "{fine}");
    let wrong = bench.tine("test wrong.c --fn f --out wrong");
    assert_eq!(wrong.code, Some(1), "{wrong}");
    let help = bench.tine("--help");
    assert_eq!(help.code, Some(0));
    for code in
        ["0  no error found", "1  errors found", "2  wrong usage", "3  the unit does not compile", "4  a bug in tine"]
    {
        assert!(help.stdout.contains(code), "`{code}` is missing in: {help}");
    }
    assert!(bench.tine("--version").stdout.starts_with("tine "));
}

/// A program's own exit code is not an error, whatever it is.
#[test]
fn exit_codes_of_the_program_are_its_own() {
    let text =
        "#include <stdlib.h>\n#include <tine.h>\nint main(void) { if (tine_int(\"x\") == 5) exit(4); return 3; }\n";
    let bench = Bench::new(&[("main.c", text)]);
    bench.compile("main.c", "program");
    let ran = bench.tine("run ./program --json");
    assert_eq!((ran.code, ran.json()["paths"].as_u64()), (Some(0), Some(2)), "{ran}");
}

#[test]
fn the_summary_as_json() {
    let bench = Bench::new(&[("unit.c", CHATTY)]);
    let ran = bench.tine("test unit.c --fn f --json --out out");
    assert_eq!(ran.code, Some(1), "{ran}");
    assert_eq!(ran.stdout.trim_end().lines().count(), 1, "one line: {ran}");
    let summary = ran.json();
    for (key, is_right) in [
        ("runs", Value::is_u64 as fn(&Value) -> bool),
        ("paths", Value::is_u64),
        ("branches_total", Value::is_u64),
        ("branches_covered", Value::is_u64),
        ("verdict", Value::is_string),
        ("complete", Value::is_boolean),
        ("reasons", Value::is_array),
        ("errors", Value::is_array),
        ("divergences", Value::is_u64),
        ("solver", Value::is_object),
        ("time_ms", Value::is_u64),
    ] {
        assert!(is_right(&summary[key]), "{key}: {}", summary[key]);
    }
    let error = &summary["errors"][0];
    assert_eq!((error["kind"].as_str(), error["line"].as_u64()), (Some("illegal instruction"), Some(7)), "{error}");
    assert!(error["file"].as_str().is_some_and(|file| file.ends_with("unit.c")), "{error}");
    assert_eq!((error["input"].as_str(), error["case"].as_u64()), (Some("x = 77"), Some(2)), "{error}");
    let solver = &summary["solver"];
    for key in ["queries", "sat", "unsat", "unknown"] {
        assert!(solver[key].is_u64(), "{key}: {solver}");
    }
    assert!(solver["time_ms"].is_number());
    let tiers = solver["tiers"].as_object().expect("tiers by name");
    assert!(!tiers.is_empty());
    assert!(tiers.values().all(|tier| tier["answered"].is_u64() && tier["time_ms"].is_number()), "{solver}");
    assert_eq!((summary["verdict"].as_str(), summary["complete"].as_bool()), (Some("complete"), Some(true)));
    assert_eq!((summary["branches_total"].as_u64(), summary["branches_covered"].as_u64()), (Some(2), Some(2)));
}

#[test]
fn reasons_as_json() {
    let text = "#include <stdlib.h>\n#include <unistd.h>\nint f(int x) {\n    return abs(x) + (int)sysconf(x);\n}\n";
    let bench = Bench::new(&[("unit.c", text)]);
    let ran = bench.tine("test unit.c --fn f --json");
    let summary = ran.json();
    assert_eq!(summary["verdict"], "incomplete", "{ran}");
    let reasons = summary["reasons"].as_array().expect("reasons");
    let reason = reasons.iter().find(|r| r["what"].as_str().is_some_and(|what| what.contains("sysconf")));
    let reason = reason.unwrap_or_else(|| panic!("no reason names sysconf: {ran}"));
    assert_eq!(reason["line"].as_u64(), Some(4), "{ran}");
    assert!(reason["file"].as_str().is_some_and(|file| file.ends_with("unit.c")) && reason["count"].is_u64(), "{ran}");
}

#[test]
fn the_summary_for_people() {
    let bench = Bench::new(&[("unit.c", TWO_ERRORS)]);
    let ran = bench.tine("test unit.c --fn f --out out");
    for part in
        ["error: abort", "unit.c:4:9 in `f`", "input: x = 1234, y = ", "replay: tine replay out ", "coverage: 6 of 6"]
    {
        assert!(ran.stdout.contains(part), "`{part}` is missing in: {ran}");
    }
    assert!(ran.stdout.contains("verdict: complete"), "{ran}");
    // Without a terminal there is no progress line and no colour. Errors are reported when they are found.
    assert!(ran.stderr.lines().all(|line| line.starts_with("found: ")), "{ran}");
    assert!(!(ran.stdout.clone() + &ran.stderr).contains('\x1b'), "{ran}");
}

#[test]
fn quiet_is_quiet() {
    let bench = Bench::new(&[("unit.c", CHATTY)]);
    let ran = bench.tine("test unit.c --fn f --quiet");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""), "{ran}");
    assert!(!ran.stdout.contains("noise"), "{ran}");
}

#[test]
fn output_of_the_unit_on_demand() {
    let bench = Bench::new(&[("unit.c", CHATTY)]);
    let ran = bench.tine("test unit.c --fn f --show-output");
    assert!(ran.stdout.contains("output of case 2:\nnoise on stdout\nnoise on stderr\n"), "{ran}");
    let ran = bench.tine("test unit.c --fn f --show-output --json --out other");
    ran.json();
}

#[test]
fn the_configuration_counts_and_the_command_line_wins() {
    let bench = Bench::new(&[("unit.c", MANY_PATHS)]);
    bench.write(
        "tine.toml",
        "json = true\nmax-runs = 7\nout = \"configured\"\n[test]\ncflags = \"-DX=1\"\n[run]\nseed = 3\n",
    );
    let ran = bench.tine("test unit.c --fn f");
    assert_eq!(ran.json()["runs"], 7, "{ran}");
    assert!(bench.path("configured/session.db").exists() && !bench.path("tine-out").exists());
    let ran = bench.tine("test unit.c --fn f --max-runs 3 --out other");
    assert_eq!(ran.json()["runs"], 3, "{ran}");
}

/// Removes everything that depends on the clock.
fn without_times(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|key, _| key != "time_ms");
            map.values_mut().for_each(without_times);
        }
        Value::Array(list) => list.iter_mut().for_each(without_times),
        _ => {}
    }
}

#[test]
fn same_seed_same_run() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let bench = Bench::new(&[("many.c", MANY_PATHS), ("two.c", TWO_ERRORS)]);
    for (unit, flags) in [
        (format!("{root}/triangle.c --fn classify"), "--keep-all"),
        (format!("{root}/binary_search.c --fn search --depth 9"), "--seed 3"),
        ("many.c --fn f --max-runs 50".to_owned(), "--seed 12345"),
        ("two.c --fn f".to_owned(), "--seed 99"),
    ] {
        let run = |out: &str| {
            let ran = bench.tine(&format!("test {unit} {flags} --json --out {out}"));
            let mut summary = ran.json();
            without_times(&mut summary);
            summary
        };
        let (first, second) = (run("first"), run("second"));
        assert_eq!(first, second, "{unit}");
        for out in ["first", "second"] {
            fs::remove_dir_all(bench.path(out)).expect("a session");
        }
    }
}

#[test]
fn another_seed_another_first_input() {
    let bench = Bench::new(&[("unit.c", "int f(int x) { return x; }\n")]);
    let input = |seed: u32| {
        bench.tine(&format!("test unit.c --fn f --quiet --seed {seed} --out out{seed}"));
        bench.tine(&format!("show out{seed}")).stdout
    };
    assert_eq!(input(0), "1 exited 0: x = 0\n");
    assert_ne!(input(1), input(2));
}

#[test]
fn runs_are_limited() {
    let bench = Bench::new(&[("unit.c", MANY_PATHS)]);
    let ran = bench.tine("test unit.c --fn f --json --max-runs 20");
    let summary = ran.json();
    assert_eq!((&summary["runs"], &summary["verdict"], ran.code), (&20.into(), &"incomplete".into(), Some(0)), "{ran}");
    assert!(ran.stdout.contains("--max-runs reached"), "{ran}");
    assert_eq!(bench.tine("test unit.c --fn f --json --max-runs 1 --out one").json()["runs"], 1);
}

#[test]
fn time_is_limited() {
    let bench = Bench::new(&[("unit.c", MANY_PATHS)]);
    let ran = bench.tine("test unit.c --fn f --json --max-time 300ms");
    let summary = ran.json();
    assert_eq!((&summary["verdict"], &summary["stopped"]), (&"incomplete".into(), &"max-time".into()), "{ran}");
    assert!(summary["time_ms"].as_u64().is_some_and(|ms| (300..30_000).contains(&ms)), "{ran}");
    assert!(ran.stdout.contains("--max-time reached"), "{ran}");
}

#[test]
fn depth_is_bounded() {
    let bench = Bench::new(&[("unit.c", MANY_PATHS)]);
    let ran = bench.tine("test unit.c --fn f --json --depth 5");
    let summary = ran.json();
    assert_eq!((&summary["verdict"], &summary["paths"]), (&"bounded".into(), &32.into()), "{ran}");
    assert_eq!(summary["complete"], false);
    assert!(ran.stdout.contains("depth bound reached"), "{ran}");
    let ran = bench.tine("test unit.c --fn f --depth 5 --out words");
    assert!(ran.stdout.contains("verdict: bounded, every path was explored within these bounds:"), "{ran}");
}

#[test]
fn memory_is_limited() {
    let text = "#include <stdlib.h>\n#include <string.h>\nint f(int x) {\n    char *p = malloc(100 << 20);\n    \
                if (!p)\n        abort();\n    memset(p, x, 100 << 20);\n    free(p);\n    return 0;\n}\n";
    let bench = Bench::new(&[("unit.c", text)]);
    let enough = bench.tine("test unit.c --fn f --json --run-timeout 60s --out enough");
    assert_eq!(errors(&enough.json()), [], "{enough}");
    let little = bench.tine("test unit.c --fn f --json --run-timeout 60s --memory 50M --out little");
    // Only the limit causes NULL: a bound, not an error of the program.
    assert_eq!((errors(&little.json()), &little.json()["verdict"]), (Vec::new(), &"bounded".into()), "{little}");
}

#[test]
fn solvers_agree() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let bench = Bench::new(&[("two.c", TWO_ERRORS)]);
    let units = [
        "two.c --fn f".to_owned(),
        format!("{examples}/triangle.c --fn classify"),
        format!("{examples}/checksum.c --fn unlock"),
        format!("{examples}/figure1_function.c --fn figure1"),
        format!("{examples}/binary_search.c --fn search --depth 8"),
    ];
    for (index, unit) in units.iter().enumerate() {
        let [bitwuzla, z3] = ["bitwuzla", "z3"].map(|solver| {
            let ran = bench.tine(&format!("test {unit} --json --solver {solver} --out {solver}{index}"));
            let s = ran.json();
            assert_eq!(s["solver"]["unknown"], 0, "{ran}");
            (errors(&s), ["paths", "verdict", "branches_covered"].map(|key| s[key].clone()))
        });
        assert_eq!(bitwuzla, z3, "{unit}");
    }
}

#[test]
fn several_files() {
    let bench = Bench::new(&[
        ("unit.c", "int help(int);\nint f(int x) { return help(x); }\nint main(void) { return 9; }\n"),
        ("help.c", "int help(int x) { if (x == 321) __builtin_trap(); return x; }\nint main(void) { return 8; }\n"),
    ]);
    let ran = bench.tine("test unit.c help.c --fn f --json");
    assert_eq!(errors(&ran.json()), [("illegal instruction".to_owned(), 1)], "{ran}");
}

#[test]
fn flags_for_the_compiler() {
    let bench =
        Bench::new(&[("unit.c", "#include \"part.h\"\nint f(int x) { return x == LIMIT ? 1 / (x - LIMIT) : 0; }\n")]);
    fs::create_dir(bench.path("my parts")).expect("a directory");
    bench.write("my parts/part.h", "\n");
    let ran = bench.tine("test unit.c --fn f --json --cflags \"-I 'my parts' -DLIMIT=4321 -std=c11 -g0\"");
    assert_eq!(ran.json()["errors"][0]["input"], "x = 4321", "{ran}");
}

#[test]
fn paths_with_spaces() {
    let bench = Bench::new(&[("my unit.c", TWO_ERRORS)]);
    let ran = bench.tine("test 'my unit.c' --fn f --out 'my out'");
    assert_eq!(ran.code, Some(1), "{ran}");
    let command = ran.stdout.lines().find_map(|line| line.split("replay: tine ").nth(1)).expect("a command");
    let replayed = bench.tine(command);
    assert_eq!(replayed.code, Some(1), "{replayed}");
}

#[test]
fn programs_get_their_arguments() {
    let text = "#include <stdlib.h>\n#include <string.h>\n#include <tine.h>\nint main(int argc, char **argv) {\n    \
                if (argc == 3 && !strcmp(argv[1], \"--json\") && tine_int(\"x\") == atoi(argv[2]))\n        abort();\n    \
                return 0;\n}\n";
    let bench = Bench::new(&[("main.c", text)]);
    bench.compile("main.c", "program");
    let ran = bench.tine("run ./program --json --out out -- --json 2468");
    assert_eq!(ran.json()["errors"][0]["input"], "x = 2468", "{ran}");
    let replayed = bench.tine("replay out 2");
    assert!(replayed.stdout.contains("ended by signal 6 (abort)"), "{replayed}");
}

#[test]
fn a_stripped_program_is_explored() {
    let text = "#include <stdlib.h>\n#include <tine.h>\nint main(void) {\n    if (tine_int(\"x\") == 5)\n        \
                tine_assert(0);\n    return 0;\n}\n";
    let bench = Bench::new(&[("main.c", text)]);
    bench.compile("main.c", "program");
    let stripped = std::process::Command::new("strip").arg(bench.path("program")).status().expect("strip");
    assert!(stripped.success());
    let ran = bench.tine("run ./program --json");
    assert_eq!(errors(&ran.json()), [("assertion failure".to_owned(), 5)], "{ran}");
}

#[test]
fn every_path_can_be_kept() {
    let text = "int f(unsigned char x) {\n    int n = 0;\n    if (x & 1)\n        n++;\n    if (x & 2)\n        n++;\n    \
                if (x & 4)\n        n++;\n    return n;\n}\n";
    let bench = Bench::new(&[("unit.c", text)]);
    let ran = bench.tine("test unit.c --fn f --json --keep-all --out out");
    let paths = ran.json()["paths"].as_u64().expect("a number") as u32;
    assert_eq!(paths, 8);
    for case in 1..=paths {
        let replayed = bench.tine(&format!("replay out {case}"));
        assert_eq!(replayed.code, Some(0), "{replayed}");
    }
}

#[test]
fn files_in_other_directories() {
    let bench = Bench::new(&[]);
    fs::create_dir_all(bench.path("source/inner")).expect("directories");
    bench.write("source/inner/part.h", "#define LIMIT 4321\n");
    bench.write(
        "source/unit.c",
        "#include \"inner/part.h\"\nint f(int x) { return x == LIMIT ? 1 / (x - LIMIT) : 0; }\n",
    );
    let ran = bench.tine("test source/unit.c --fn f --json --out results/of/today");
    assert_eq!(ran.json()["errors"][0]["input"], "x = 4321", "{ran}");
    assert_eq!(bench.tine("replay results/of/today 2").code, Some(1));
}

#[test]
fn a_file_with_a_quote_in_its_name() {
    let bench = Bench::new(&[]);
    fs::create_dir_all(bench.path("a \"b\"")).expect("a directory");
    bench.write("a \"b\"/part.h", "#define LIMIT 4321\n");
    bench.write("a \"b\"/unit.c", "#include \"part.h\"\nint f(int x) { return x == LIMIT ? 1 / (x - LIMIT) : 0; }\n");
    let ran = bench.tine("test 'a \"b\"/unit.c' --fn f --json");
    assert_eq!(ran.json()["errors"][0]["input"], "x = 4321", "{ran}");
}

#[test]
fn a_function_without_parameters() {
    let bench = Bench::new(&[("unit.c", "static int count;\nvoid f(void) { count++; }\n")]);
    let summary = bench.tine("test unit.c --fn f --json").json();
    assert_eq!((&summary["runs"], &summary["verdict"]), (&1.into(), &"complete".into()));
}

/// On a terminal there is progress and colour, unless the user disables it.
#[test]
fn terminals() {
    let bench = Bench::new(&[("unit.c", MANY_PATHS)]);
    let run = |flags: &str, no_color: &str| {
        let tine = env!("CARGO_BIN_EXE_tine");
        let line = format!("{tine} test unit.c --fn f --max-time 1s {flags}");
        // `script` runs a command on a new terminal.
        let mut script = bench.command("");
        let mut command = std::process::Command::new("script");
        command.args(["-qec", &line, "/dev/null"]).current_dir(bench.path("."));
        command.envs(script.env("NO_COLOR", no_color).get_envs().filter_map(|(key, value)| Some((key, value?))));
        let output = command.stdin(std::process::Stdio::null()).output().expect("script runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    const CLEAR_LINE: &str = "\r\x1b[K";
    const COLOUR: &str = "\x1b[1;3";
    let plain = run("--out plain", "");
    assert!(plain.contains(CLEAR_LINE) && plain.contains(COLOUR), "{plain:?}");
    for word in ["runs", "paths", "branches", "errors", "solver"] {
        assert!(plain.contains(word), "`{word}` is missing in {plain:?}");
    }
    let without_colour = run("--out without", "1");
    assert!(!without_colour.contains(COLOUR) && without_colour.contains(CLEAR_LINE), "{without_colour:?}");
    let quiet = run("--out quiet --quiet", "");
    assert!(!quiet.contains(CLEAR_LINE) && quiet.contains("verdict"), "{quiet:?}");
}

/// Flags that select the machine apply to every copy that tine makes of a function.
#[test]
fn instructions_of_a_newer_machine() {
    let text = "unsigned f(unsigned x) {\n    if (x == 99)\n        return 1 / (x - 99);\n    \
                return __builtin_ia32_crc32qi(x, 7);\n}\n";
    let bench = Bench::new(&[("unit.c", text)]);
    let ran = bench.tine("test unit.c --fn f --json --cflags -mcrc32");
    assert_eq!(errors(&ran.json()), [("division by zero".to_owned(), 3)], "{ran}");
}

/// The flags of the file come from the build. Those of the command line come after them.
#[test]
fn flags_come_from_a_build() {
    let unit = "#include \"limit.h\"\n#include <stdlib.h>\nint f(int x) {\n    if (x == LIMIT + MORE)\n        abort();\n    return 0;\n}\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    for folder in ["include", "build"] {
        fs::create_dir(bench.path(folder)).expect("a directory");
    }
    bench.write("include/limit.h", "#define LIMIT 1000\n");
    let commands = r#"[{"directory": "DIR/build", "file": "../unit.c", "command": "cc -I../include -DMORE=1 -o unit.o -c ../unit.c"}]"#;
    let folder = bench.path(".").canonicalize().expect("a directory");
    bench.write("build/compile_commands.json", &commands.replace("DIR", &folder.to_string_lossy()));
    let ran = bench.tine("test unit.c --fn f -p build --json --out a");
    assert_eq!(ran.json()["errors"][0]["input"], "x = 1001", "{ran}");
    let ran =
        bench.tine("test unit.c --fn f --build build/compile_commands.json --cflags '-UMORE -DMORE=7' --json --out b");
    assert_eq!(ran.json()["errors"][0]["input"], "x = 1007", "{ran}");
    bench.write("other.c", "int f(int x) { return x; }\n");
    bench.fails(
        "test other.c --fn f -p build",
        2,
        &["does not say how", "other.c is compiled", "compile_commands.json"],
    );
    bench.fails("test other.c --fn f -p include", 2, &["include/compile_commands.json: No such file"]);
}

/// Every possible reason why a side was not taken.
#[test]
fn sides_not_taken_are_explained() {
    let unit = "#include <math.h>\nint f(int x, int y) {\n    int n = 0;\n    if (x > 5 && x < 3)\n        n++;\n    \
                double d = cbrt(x);\n    if (d > 1e30)\n        n++;\n    static int never;\n    if (never)\n        n++;\n    \
                return n;\n}\nint g(int x) {\n    if (x == 7)\n        return x > 8;\n    return 0;\n}\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    let ran = bench.tine("test unit.c --fn f --explain --json --out a");
    let why = |line: u64, side: &str| {
        let summary = ran.json();
        let list = summary["explained"].as_array().expect("a list").clone();
        let known = list.iter().find(|known| known["line"] == line && known["side"] == side);
        known.unwrap_or_else(|| panic!("line {line}, {side}: {ran}"))["why"].as_str().unwrap_or("").to_owned()
    };
    assert!(why(4, "true").starts_with("infeasible on "), "{ran}");
    let lost = why(7, "true");
    let fixed = "earlier conditions or concrete values fixed it on every path up to now";
    assert!(lost.starts_with(&format!("{fixed}; input flows into `cbrt`")), "{lost}");
    assert!(lost.ends_with("unit.c:6)"), "{lost}");
    // A concretisation nearby may be the cause, but that is not known.
    assert!(why(10, "true").starts_with(fixed), "{ran}");
    let ran = bench.tine("test unit.c --fn g --explain --max-runs 1 --out b");
    assert!(ran.stdout.contains("branch sides that runs reached but did not take:\n"), "{ran}");
    assert!(ran.stdout.contains("unit.c:15:11 in `g`: true: needs `x == 7`: not tried yet on 1 path\n"), "{ran}");
    // No run has reached the other branch.
    assert!(!ran.stdout.contains("unit.c:16"), "{ran}");
    // A resumed session reports it, too.
    bench.tine("test unit.c --fn f --max-runs 1 --out c");
    let ran = bench.tine("resume c --max-runs 100 --explain");
    assert!(ran.stdout.contains("unit.c:4:20 in `f`: true: needs `x < 3`: infeasible on 1 path\n"), "{ran}");
}

#[test]
fn options_that_do_not_apply_are_refused() {
    let unit = "typedef int hook(void);\nint f(int x, char *s, double d, hook *h, void *p, long n) {\n    \
                return x > 3 && s && d > 1 && h && p && n;\n}\n";
    let bench = Bench::new(&[("unit.c", unit)]);
    for (options, expected) in [
        ("--type x=int", "`int x` is not a pointer"),
        ("--type y=int", "has no parameter `y`"),
        ("--type p=int --type p=long", "two types for `p`"),
        ("--type h=int", "points to a function"),
        ("--len x=3", "`int x` is not a pointer"),
        ("--len y=3", "has no parameter `y`"),
        ("--len s=y", "has no parameter `y`"),
        ("--len s=d", "`double d` is not an integer"),
        ("--len s=p", "is not an integer"),
        ("--len s=n --len s=3", "two lengths for `s`"),
        ("--len s", "has no `=`"),
    ] {
        let ran = bench.tine(&format!("test unit.c --fn f {options}"));
        assert_eq!(ran.code, Some(2), "{options}: {ran}");
        assert!(ran.stderr.contains(expected), "{options}: {ran}");
    }
}
