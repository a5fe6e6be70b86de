//! Lists the headers and models that are embedded in `tine`, and computes the digests that name its caches. The
//! executor embeds the runtime's archive.

use std::collections::hash_map::DefaultHasher;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo"));
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let repository = manifest.join("../..").canonicalize().expect("the repository");
    for path in ["include", "models"] {
        println!("cargo::rerun-if-changed={}", repository.join(path).display());
    }

    let mut files = Vec::new();
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

    // The compiled models depend on this code and on no other part of tine.
    let mut sources = Vec::new();
    for path in ["crates/instrument", "crates/trace", "crates/build/src/cc"] {
        println!("cargo::rerun-if-changed={}", repository.join(path).display());
        collect(&repository, &repository.join(path), &mut sources);
    }
    sources.sort();
    for (name, path) in &sources {
        (name, fs::read(path).expect("listed a moment ago")).hash(&mut hasher);
    }
    println!("cargo::rerun-if-changed={}", repository.join("Cargo.lock").display());
    fs::read(repository.join("Cargo.lock")).expect("the lock file").hash(&mut hasher);
    println!("cargo::rustc-env=TINE_INSTRUMENTER_DIGEST={:016x}", hasher.finish());
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
