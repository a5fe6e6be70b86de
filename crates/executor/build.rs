//! Builds the runtime archive that this crate carries.

use std::hash::Hasher as _;

include!("../runtime/archive/build_archive.rs");

fn main() {
    let out = std::path::PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let root =
        std::path::PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../runtime");
    let archive = build_archive(&root, &out);
    println!("cargo::rustc-env=TINE_RUNTIME_ARCHIVE={}", archive.display());
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(&std::fs::read(&archive).expect("it was built a moment ago"));
    println!("cargo::rustc-env=TINE_RUNTIME_DIGEST={:016x}", hasher.finish());
}
