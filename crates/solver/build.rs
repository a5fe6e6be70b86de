//! Builds Bitwuzla as a separate program, from the C++ sources in two crates of cargo's registry.
//!
//! This repository contains no third-party code. `native/Cargo.toml` selects exact versions of the two crates, `cargo
//! metadata` fetches them, and this script compiles Bitwuzla and CaDiCaL into one static library. This takes minutes,
//! so the library is kept outside the tree, in `$XDG_CACHE_HOME/tine` (or `~/.cache/tine`). Its name contains a hash of
//! everything that affects it, so a second clone or a `cargo clean` finds it there.
//!
//! `native/server.cpp` and the library become a static program, which `src/bitwuzla/program.rs` embeds and runs.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Instant;

/// As in upstream's release build. `NCLOSEFROM`: glibc has the function, but CaDiCaL assumes that it does not.
const DEFINES: &[&str] = &["NDEBUG", "NBUILD", "NCLOSEFROM", "NUNLOCKED", "NTRACING", "QUIET", "HAVE_RUSAGE"];
const LIBRARY: &str = "tinebitwuzla";
const N_JOBS: usize = 2;

/// Parts of Bitwuzla's `src` that an embedded solver does not need: its program, and Python.
const LEFT_OUT: &[&str] = &["main", "api/python"];
/// CaDiCaL's own programs.
const PROGRAMS: &[&str] = &["cadical.cpp", "mobical.cpp"];

fn main() {
    for file in ["build.rs", "native/Cargo.toml", "native/Cargo.lock", "native/server.cpp"] {
        println!("cargo::rerun-if-changed={file}");
    }
    for variable in ["XDG_CACHE_HOME", "HOME", "CXX", "CXXFLAGS", "AR"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }

    let compiler = compiler();
    require_headers(&compiler);
    let folder = cache_folder(&recipe(&compiler));
    if !folder.join(format!("lib{LIBRARY}.a")).exists() {
        build(&compiler, &folder);
    }

    link_server(&compiler, &folder);
}

/// Links the program, without debug information, against static libraries only: it starts in half a millisecond, four
/// times as fast as with dynamic libraries.
fn link_server(compiler: &cc::Build, folder: &Path) {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let mut command = compiler.get_compiler().to_command();
    command
        .arg("native/server.cpp")
        .args(["-static", "-s", "-Wl,--gc-sections", "-o"])
        .arg(out.join("bitwuzla-server"));
    command.arg("-L").arg(folder).arg(format!("-l{LIBRARY}")).arg("-lgmp");
    let output = command.output().expect("the compiler ran for the probes");
    if !output.status.success() {
        fail(&format!("cannot link the solver Bitwuzla:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
}

fn compiler() -> cc::Build {
    let mut build = cc::Build::new();
    build.cpp(true).std("c++17").opt_level(3).debug(false).pic(true).warnings(false).cargo_metadata(false);
    for define in DEFINES {
        build.define(define, None);
    }
    build
}

/// Everything that affects the library, as text. Its hash names the cached copy.
fn recipe(compiler: &cc::Build) -> String {
    let tool = compiler.get_compiler();
    let version = Command::new(tool.path()).arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let lock = fs::read_to_string("native/Cargo.lock").expect("native/Cargo.lock belongs to the repository");
    format!("{:?}\n{version}\n{lock}\n{DEFINES:?}\n{LEFT_OUT:?}\n{PROGRAMS:?}", tool.args())
}

fn cache_folder(recipe: &str) -> PathBuf {
    // FNV-1a: stable across compilers, unlike the standard library's hasher.
    let hash = recipe.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ b as u64).wrapping_mul(0x100_0000_01b3));
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = cache.or_else(|| env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")));
    let cache = cache.unwrap_or_else(|| PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")));
    cache.join("tine").join(format!("bitwuzla-0.8.0-cadical-2.1.2-{hash:016x}"))
}

/// Checks for the headers and names the missing package, to avoid pages of C++ errors.
fn require_headers(compiler: &cc::Build) {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for (header, package) in [
        ("cstdint", "g++"),
        ("gmp.h", "libgmp-dev"),
        ("gmpxx.h", "libgmp-dev"),
        ("symfpu/core/unpackedFloat.h", "libsymfpu-dev"),
    ] {
        let probe = out.join("probe.cpp");
        fs::write(&probe, format!("#include <{header}>\n")).expect("OUT_DIR is writable");
        let found = compiler.get_compiler().to_command().arg("-M").arg(&probe).output();
        if !found.is_ok_and(|output| output.status.success()) {
            fail(&format!(
                "the C++ header <{header}> was not found, which the solver Bitwuzla needs; \
                 run `make setup`, or `apt-get install {package}`"
            ));
        }
    }
}

/// One file to compile.
struct Job {
    source: PathBuf,
    object: PathBuf,
    flags: &'static [&'static str],
}

/// Compiles everything into a temporary folder next to `folder`, then moves it into place. An interrupted build leaves
/// no partial library, and either of two simultaneous builds may succeed first.
fn build(compiler: &cc::Build, folder: &Path) {
    let start = Instant::now();
    let (bitwuzla, cadical) = sources();
    let parent = folder.parent().expect("a cache folder has a parent");
    let work = parent.join(format!("building-{}", std::process::id()));
    fs::create_dir_all(&work).unwrap_or_else(|error| fail(&format!("cannot create {}: {error}", work.display())));

    fs::write(work.join("config.h"), config_header()).expect("the work folder is writable");
    fs::write(work.join("version.h"), "#define VERSION \"2.1.2\"\n").expect("the work folder is writable");
    let mut compiler = compiler.clone();
    compiler.include(&work);
    for path in ["include", "src", "src/lib"] {
        compiler.include(bitwuzla.join(path));
    }
    compiler.include(cadical.join("src")).out_dir(&work);

    let mut jobs = Vec::new();
    // CaDiCaL's macro for its version has the same name as a token in Bitwuzla.
    let parts: [(&Path, &[&str], &[&str]); 2] =
        [(&bitwuzla, LEFT_OUT, &[]), (&cadical, PROGRAMS, &["-include", "version.h"])];
    for (root, left_out, flags) in parts {
        let mut sources = Vec::new();
        list_sources(&root.join("src"), "", left_out, &mut sources);
        for source in sources {
            let object = work.join(format!("{}.o", jobs.len()));
            jobs.push(Job { source, object, flags });
        }
    }
    let objects: Vec<PathBuf> = jobs.iter().map(|job| job.object.clone()).collect();
    compile_all(&compiler, jobs);
    compiler.objects(&objects).compile(LIBRARY);
    for object in &objects {
        let _ = fs::remove_file(object);
    }

    if fs::rename(&work, folder).is_err() {
        // Another build finished first.
        let _ = fs::remove_dir_all(&work);
        assert!(folder.exists(), "cannot move the built solver to {}", folder.display());
    }
    println!(
        "cargo::warning=built Bitwuzla 0.8.0 and CaDiCaL 2.1.2 in {} s, kept in {}",
        start.elapsed().as_secs(),
        folder.display()
    );
}

/// Folders of the two crates' C++ sources, after cargo has fetched them.
fn sources() -> (PathBuf, PathBuf) {
    let cargo = env::var_os("CARGO").expect("cargo sets CARGO");
    let target = env::var("TARGET").expect("cargo sets TARGET");
    let output = Command::new(cargo)
        .args(["metadata", "--locked", "--format-version=1", "--manifest-path=native/Cargo.toml"])
        // Without this, cargo would fetch crates for other systems too.
        .args(["--filter-platform", &target])
        .output()
        .expect("cargo runs");
    if !output.status.success() {
        fail(&format!("cannot fetch the solver's sources: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let metadata = String::from_utf8_lossy(&output.stdout);
    let folder_of = |name: &str| {
        let package = metadata.split_once(&format!("{{\"name\":\"{name}\",\"version\""));
        let manifest = package.and_then(|(_, rest)| rest.split_once("\"manifest_path\":\""));
        let path = manifest.and_then(|(_, rest)| rest.split_once("/Cargo.toml\"")).map(|(path, _)| PathBuf::from(path));
        path.unwrap_or_else(|| fail(&format!("`cargo metadata` does not say where the crate {name} lies")))
    };
    (folder_of("bitwuzla-sys").join("bitwuzla"), folder_of("cadical-sys").join("cadical"))
}

fn config_header() -> String {
    let mut text = String::from("#pragma once\nnamespace bzla::config {\n");
    text.push_str("static constexpr bool is_debug_build = false;\n");
    for (name, value) in
        [("git_id", ""), ("version", "0.8.0"), ("license", "MIT"), ("os", "linux"), ("cc", "cc"), ("cxx", "c++")]
    {
        let _ = writeln!(text, "static constexpr const char* {name} = \"{value}\";");
    }
    text.push_str("}\n");
    text
}

/// Lists all C++ files below `root`. `folder` is the current directory of the search, relative to `root`.
fn list_sources(root: &Path, folder: &str, left_out: &[&str], sources: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(root.join(folder)).expect("the sources are readable");
    let mut names: Vec<String> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    for name in names {
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        if left_out.contains(&path.as_str()) {
            continue;
        }
        if root.join(&path).is_dir() {
            list_sources(root, &path, left_out, sources);
        } else if path.ends_with(".cpp") {
            sources.push(root.join(path));
        }
    }
}

fn next_job(queue: &Mutex<Vec<Job>>) -> Option<Job> {
    queue.lock().expect("no thread panics").pop()
}

fn compile_all(compiler: &cc::Build, jobs: Vec<Job>) {
    let tool = compiler.get_compiler();
    let queue = Mutex::new(jobs);
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..N_JOBS {
            scope.spawn(|| {
                while let Some(job) = next_job(&queue) {
                    let output = tool
                        .to_command()
                        .args(job.flags)
                        .arg("-c")
                        .arg(&job.source)
                        .arg("-o")
                        .arg(&job.object)
                        .output();
                    let output = output.expect("the compiler ran for the probes");
                    if !output.status.success() {
                        queue.lock().expect("no thread panics").clear();
                        let message = String::from_utf8_lossy(&output.stderr).into_owned();
                        *failure.lock().expect("no thread panics") = Some((job.source, message));
                    }
                }
            });
        }
    });
    if let Some((source, message)) = failure.into_inner().expect("no thread panics") {
        fail(&format!("{} does not compile:\n{message}", source.display()));
    }
}

fn fail(message: &str) -> ! {
    for line in message.lines() {
        println!("cargo::error={line}");
    }
    std::process::exit(1);
}
