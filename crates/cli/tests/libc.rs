//! Each model of the C library behaves like the library function.
//!
//! The models are compiled natively under other names into one program (`libc/*.c`), which calls both on
//! edge cases and on random inputs, and compares results, memory and `errno`. Formats, patterns and command lines are
//! generated from all their parts (`libc/generated.c`). A difference is reported with the shortest call that shows it.
//!
//! `TINE_CHECKS` is the number of checks for each function (100). One check is 200 calls, which are cheap.
//! `TINE_CHECKS_SEED` chooses other random inputs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

fn c_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files
}

/// Library functions with a model, without helper functions of the models.
fn models() -> Vec<PathBuf> {
    let mut models = c_files(&repository().join("models/libc"));
    models.retain(|model| {
        !model.file_stem().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("__tine_"))
    });
    models
}

#[track_caller]
fn clang(arguments: &[&str], files: &[PathBuf], output: &Path) {
    let status = Command::new("clang-22")
        .args(["-g", "-w", "-fno-builtin", "-fwrapv", "-D_GNU_SOURCE", "-D__NO_CTYPE"])
        .args(arguments)
        .args(files)
        .arg("-o")
        .arg(output)
        .status()
        .expect("clang-22 runs");
    assert!(status.success(), "{files:?}");
}

/// The models under their other names, without duplicate functions.
fn renamed(models: &[PathBuf]) -> String {
    let names = models.iter().map(|model| model.file_stem().and_then(|name| name.to_str()).expect("text"));
    names.map(|name| format!("#define {name} model_{name}\n")).collect()
}

#[test]
fn models_agree_with_the_library() {
    let mut models = models();
    models.retain(|model| !NOT_IN_EVERY_LIBRARY.iter().any(|name| model.file_stem().is_some_and(|stem| stem == *name)));
    let dir = tempfile::tempdir().expect("a temporary directory");
    let header = dir.path().join("renamed.h");
    fs::write(&header, renamed(&models)).expect("written");
    // Static functions of the models would clash in a single unit.
    let mut objects = Vec::new();
    let include = repository().join("include");
    for model in &models {
        let object = dir.path().join(model.file_name().expect("a file")).with_extension("o");
        let flags = ["-O1", "-c", "-include", header.to_str().unwrap(), "-isystem", include.to_str().unwrap()];
        clang(&flags, std::slice::from_ref(model), &object);
        objects.push(object);
    }
    let tests = c_files(&repository().join("crates/cli/tests/libc"));
    let program = dir.path().join("compare");
    // Without optimisation, because the library's declarations promise that some functions do not change errno,
    // although they do.
    clang(&["-O0", "-Wl,--no-as-needed", "-lm"], &[tests, objects].concat(), &program);
    let output = Command::new(&program).output().expect("the comparison runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}\n{said}{}", output.status, String::from_utf8_lossy(&output.stderr));

    // Checks that every model is compared.
    let compared: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("compared ")).collect();
    let missing: Vec<&str> =
        models.iter().filter_map(|model| model.file_stem()?.to_str()).filter(|name| !compared.contains(name)).collect();
    assert!(missing.is_empty(), "not compared: {missing:?}");
}

/// Recent functions. The functions that they consist of are compared.
const NOT_IN_EVERY_LIBRARY: &[&str] = &[
    "__isoc23_strtoimax",
    "__isoc23_strtol",
    "__isoc23_strtoll",
    "__isoc23_strtoul",
    "__isoc23_strtoull",
    "__isoc23_strtoumax",
    "strlcat",
    "strlcpy",
];

/// Models that leave some strings to the library: hexadecimal fractions, and strings that are not numbers.
const LEFT_TO_THE_LIBRARY: &[&str] = &["atof", "strtod", "strtof", "strtold"];

/// Every path of every model on inputs of up to four bytes (`libc_paths/paths.c`), explored completely and without an
/// error.
#[test]
fn models_are_explored_to_the_end() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let sources = repository().join("crates/cli/tests/libc_paths");
    let (absent, program) = (dir.path().join("absent.o"), dir.path().join("paths"));
    clang(&["-c"], &[sources.join("absent.c")], &absent);
    let tine = || Command::new(env!("CARGO_BIN_EXE_tine"));
    let mut compile = tine();
    compile.args(["cc", "-w", "-fno-builtin"]).arg(sources.join("paths.c")).args([
        &absent,
        &PathBuf::from("-o"),
        &program,
        &PathBuf::from("-lm"),
    ]);
    assert!(compile.status().expect("tine runs").success());
    let listed = Command::new(&program).output().expect("the program runs");
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let names: Vec<&str> = listed.lines().collect();
    let models = models();
    let missing: Vec<&str> =
        models.iter().filter_map(|model| model.file_stem()?.to_str()).filter(|name| !names.contains(name)).collect();
    assert!(missing.is_empty(), "not explored: {missing:?}");

    let explore = |name: &str| -> (u64, String) {
        let session = dir.path().join(name);
        let mut run = tine();
        run.arg("run").arg(&program).args(["--json", "--quiet", "--jobs", "1", "--max-time", "60s", "--out"]);
        let output = run.arg(&session).args(["--", name]).output().expect("tine runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let found: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        let reasons = found["reasons"].as_array().map_or(&[][..], Vec::as_slice);
        let left =
            reasons.iter().all(|reason| reason["what"].as_str().is_some_and(|what| what.contains(" flows into ")));
        let complete = found["verdict"] == "complete" || left && LEFT_TO_THE_LIBRARY.contains(&name);
        let paths = found["paths"].as_u64().unwrap_or(0);
        let fine = output.status.code() == Some(0) && complete && (2..1000).contains(&paths);
        let stderr = String::from_utf8_lossy(&output.stderr);
        (paths, if fine { String::new() } else { format!("{name}: {}: {text}{stderr}\n", output.status) })
    };
    let halves = names.split_at(names.len() / 2);
    let all = |names: &[&str]| names.iter().map(|name| explore(name)).collect::<Vec<_>>();
    let (first, second) = std::thread::scope(|scope| {
        let first = scope.spawn(|| all(halves.0));
        let second = all(halves.1);
        (first.join().expect("no panic"), second)
    });
    let results = [first, second].concat();
    let wrong: String = results.iter().map(|(_, wrong)| wrong.as_str()).collect();
    assert!(wrong.is_empty(), "{wrong}");
    // At most one decision per byte, and none where a single term has the result.
    for (name, expected) in [
        ("strlen", 5),
        ("memchr", 5),
        ("memcmp", 2),
        // Equality of the symbolic part, followed by the rest.
        ("strcmp", 3),
        ("strncmp", 2),
        ("strcasecmp", 3),
        ("isalpha", 2),
        ("qsort", 24),
        ("mbrtowc", 2),
        ("utf8_mbrtowc", 18),
    ] {
        let at = names.iter().position(|known| *known == name).expect("in the table");
        assert_eq!(results[at].0, expected, "{name}");
    }
}
