//! Gathers what is embedded in `tine`: builds the runtime's archive and lists headers and models.
//!
//! The archive is built by a cargo of its own, because it lies outside the workspace (a `no_std` static library with a panic
//! handler would break `cargo test` there).

use std::collections::hash_map::DefaultHasher;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo"));
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let repository = manifest.join("../..").canonicalize().expect("the repository");
    for path in ["crates/runtime/src", "crates/runtime/archive", "crates/trace/src", "include", "models"] {
        println!("cargo::rerun-if-changed={}", repository.join(path).display());
    }

    let mut files = vec![("lib/libtine_rt.a".to_owned(), build_runtime(&repository, &out))];
    for folder in ["include", "models"] {
        collect(&repository, &repository.join(folder), &mut files);
    }
    files.sort();

    let mut list = String::from("pub(super) const FILES: &[(&str, &[u8])] = &[\n");
    let mut hasher = DefaultHasher::new();
    for (name, path) in &files {
        writeln!(list, "    ({name:?}, include_bytes!({:?})),", path.display().to_string()).expect("to memory");
        (name, fs::read(path).expect("listed a moment ago")).hash(&mut hasher);
    }
    list.push_str("];\n");
    fs::write(out.join("assets.rs"), list).expect("OUT_DIR is writable");
    println!("cargo::rustc-env=TINE_ASSETS_DIGEST={:016x}", hasher.finish());
}

fn build_runtime(repository: &Path, out: &Path) -> PathBuf {
    let manifest = repository.join("crates/runtime/archive/Cargo.toml");
    let target = out.join("runtime");
    let mut command = Command::new(env::var_os("CARGO").expect("set by cargo"));
    command.args(["build", "--release", "--quiet", "--manifest-path"]).arg(&manifest).arg("--target-dir").arg(&target);
    // What the outer cargo was told (flags, clippy as a wrapper) is not meant for the archive.
    for (name, _) in env::vars_os() {
        let name = name.to_string_lossy();
        let ours =
            ["CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_TARGET"];
        if ours.contains(&&*name) || name.starts_with("CARGO_PROFILE_") || name.starts_with("CARGO_CFG_") {
            command.env_remove(&*name);
        }
    }
    let done = command.status().is_ok_and(|status| status.success());
    let archive = target.join("release/libtine_rt.a");
    if !done || !archive.is_file() {
        println!(
            "cargo::error=cannot build the runtime: `cargo build --release --manifest-path {}` failed",
            manifest.display()
        );
        std::process::exit(1);
    }
    archive
}

fn collect(repository: &Path, folder: &Path, files: &mut Vec<(String, PathBuf)>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|why| panic!("cannot read {}: {why}", folder.display()));
    for entry in entries {
        let path = entry.expect("a directory that can be read").path();
        if path.is_dir() {
            collect(repository, &path, files);
        } else {
            let name = path
                .strip_prefix(repository)
                .expect("below the repository")
                .to_str()
                .expect("names are text")
                .to_owned();
            files.push((name, path));
        }
    }
}
