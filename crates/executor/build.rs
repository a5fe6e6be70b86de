//! Builds the runtime archive that this crate carries.

include!("../runtime/archive/build_archive.rs");

fn main() {
    let out = std::path::PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime");
    let archive = build_archive(&root, &out);
    println!("cargo::rustc-env=TINE_RUNTIME_ARCHIVE={}", archive.display());
}
