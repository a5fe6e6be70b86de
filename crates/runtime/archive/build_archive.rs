// Included by build scripts that need the archive.

/// Builds `libtine_rt.a` from the sources in `runtime` (the folder of the crate) below `out`, with a separate cargo
/// process: the archive needs another panic strategy than the workspace.
fn build_archive(runtime: &std::path::Path, out: &std::path::Path) -> std::path::PathBuf {
    for source in ["src", "Cargo.toml", "archive", "../trace/src"] {
        println!("cargo::rerun-if-changed={}", runtime.join(source).display());
    }
    let target = out.join("archive");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = std::process::Command::new(cargo);
    command.args(["build", "--release", "--offline", "--quiet", "--manifest-path"]);
    command.arg(runtime.join("archive/Cargo.toml")).arg("--target-dir").arg(&target);
    // Settings of the outer build (clippy as compiler, coverage, sanitizers) must not affect this one.
    for variable in [
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "CLIPPY_ARGS",
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_BUILD_TARGET",
    ] {
        command.env_remove(variable);
    }
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CARGO_PROFILE_") {
            command.env_remove(name);
        }
    }
    let status = command.status().expect("cargo can be started");
    assert!(status.success(), "the runtime archive does not build");
    target.join("release/libtine_rt.a")
}
