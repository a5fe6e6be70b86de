//! Each model of the C library does what the library does.
//!
//! The models are compiled natively under other names into one program (`libc/*.c`), which calls both on
//! edge cases and on random inputs from small alphabets, and compares results, memory and `errno`.
//!
//! `TINE_LIBC_ROUNDS` says how often (20,000 times for each function).

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

/// Models under their other names, and no function that is asked for twice.
fn renamed(models: &[PathBuf]) -> String {
    let names = models.iter().map(|model| model.file_stem().and_then(|name| name.to_str()).expect("text"));
    names.map(|name| format!("#define {name} model_{name}\n")).collect()
}

#[test]
fn models_agree_with_the_library() {
    let mut models = c_files(&repository().join("models/libc"));
    models.retain(|model| !NOT_IN_EVERY_LIBRARY.iter().any(|name| model.file_stem().is_some_and(|stem| stem == *name)));
    let dir = tempfile::tempdir().expect("a temporary directory");
    let header = dir.path().join("renamed.h");
    fs::write(&header, renamed(&models)).expect("written");
    // One unit for all would make their static functions meet.
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
    // Unoptimised: the library's declarations promise that some functions leave errno alone, which they do not.
    clang(&["-O0"], &[tests, objects].concat(), &program);
    let output = Command::new(&program).output().expect("the comparison runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}\n{said}{}", output.status, String::from_utf8_lossy(&output.stderr));

    // A model that nothing is compared with would go unnoticed.
    let compared: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("compared ")).collect();
    let missing: Vec<&str> =
        models.iter().filter_map(|model| model.file_stem()?.to_str()).filter(|name| !compared.contains(name)).collect();
    assert!(missing.is_empty(), "not compared: {missing:?}");
}

/// Functions that came late; what they are made of is compared.
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
