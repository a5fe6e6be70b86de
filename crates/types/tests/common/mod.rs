//! Compiles C and reads its types.

use std::process::Command;

use tine_types::{Program, dwarf};

pub(crate) fn compile(file: &str, source: &str, flags: &[&str]) -> Program {
    dwarf::read(&object(file, source, flags)).expect("readable")
}

pub(crate) fn object(file: &str, source: &str, flags: &[&str]) -> Vec<u8> {
    let dir = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(dir.path().join(file), source).expect("written");
    let status = Command::new("clang-22")
        .current_dir(dir.path())
        .args(["-w", "-g", "-c", "-o", "unit.o", file])
        .args(flags)
        .status()
        .expect("clang-22 runs");
    assert!(status.success());
    std::fs::read(dir.path().join("unit.o")).expect("there")
}
