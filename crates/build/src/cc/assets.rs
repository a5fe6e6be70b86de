//! Files that are embedded in tine: the runtime's archive, headers, models. They are unpacked to
//! `$XDG_CACHE_HOME/tine/<version>-<digests>/` once, and some are compiled there on first use.
//!
//! Many `tine cc` may start at once (`make -j`). So everything is created under a temporary name and then renamed,
//! which makes it appear as a whole. For slow steps, one process does the work, and the others wait.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use tine_executor::unit::{RUNTIME_ARCHIVE, RUNTIME_DIGEST};
use tine_trace::map::MODELS_FOLDER;

use tine_engine::owned::{private_directory, user};

use super::plan::{Driver, Emit, Mode, PASSING, runtime_symbols};
use super::{Error, instrument};

/// `FILES`, a list of (path, bytes), as the build script found them.
mod embedded {
    include!(concat!(env!("OUT_DIR"), "/assets.rs"));
}

/// Path of the runtime's archive in this list.
const RUNTIME: &str = "lib/libtine_rt.a";

/// Folders of models: computation, and files.
const LIBC: [&str; 2] = ["models/libc/", "models/posix/"];

/// Flags for models. A model is plain C that the compiler must not replace by the function that it models, with machine
/// arithmetic.
const MODEL_FLAGS: &[&str] = &["-fno-builtin", "-fwrapv", "-U_FORTIFY_SOURCE", "-D__NO_CTYPE", "-D_GNU_SOURCE"];

/// Directories of the files and of their compiled forms.
#[derive(Clone, Debug)]
pub struct Assets {
    root: PathBuf,
    /// Compiled models and interfaces. Their key has everything that they depend on, so builds of tine that differ
    /// elsewhere share them.
    built: PathBuf,
}

impl Assets {
    /// Places in the cache, where the files may not exist yet.
    pub fn locate() -> Assets {
        const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "-", env!("TINE_ASSETS_DIGEST"));
        let folder = cache().join("tine");
        let root = folder.join(format!("{VERSION}-{RUNTIME_DIGEST}"));
        let built = folder.join(concat!("built-", env!("CARGO_PKG_VERSION"), "-", env!("TINE_INSTRUMENTER_DIGEST")));
        Assets { root, built }
    }

    /// Directory of headers.
    pub fn include(&self) -> PathBuf {
        self.root.join("include")
    }

    /// Archive of the runtime.
    pub fn runtime(&self) -> PathBuf {
        self.root.join(RUNTIME)
    }

    /// Archive of functions of other tools' interfaces.
    pub fn interfaces(&self, native: bool) -> PathBuf {
        self.built.join(if native { "libtine_interfaces_native.a" } else { "libtine_interfaces.a" })
    }

    /// Archive of models of library functions.
    pub fn models(&self) -> PathBuf {
        self.built.join("libtine_models.a")
    }

    /// Library for native builds, without tracing.
    pub fn stub(&self) -> PathBuf {
        self.built.join("libtine_stub.so")
    }

    /// Ensures that headers, runtime and models exist.
    ///
    /// The contents of the cache become part of every program, so it is used only if no other user can write to it.
    pub fn unpack(&self) -> Result<(), Error> {
        let parent = self.root.parent().expect("the root is below the cache");
        for directory in [parent, &self.root, &self.built] {
            if directory == parent || directory.symlink_metadata().is_ok() {
                private_directory(directory)?;
            }
        }
        if self.root.is_dir() {
            return Ok(());
        }
        let staged = staging(parent)?;
        for (path, bytes) in embedded::FILES.iter().chain(&[(RUNTIME, RUNTIME_ARCHIVE)]) {
            let path = staged.path().join(path);
            let dir = path.parent().expect("inside of the staging directory");
            fs::create_dir_all(dir)
                .and_then(|()| fs::write(&path, bytes))
                .map_err(|why| failed("write", &path, why))?;
        }
        match fs::rename(staged.path(), &self.root) {
            Ok(()) => {
                let _ = staged.keep();
                Ok(())
            }
            Err(_) if self.root.is_dir() => Ok(()),
            Err(why) => Err(failed("make", &self.root, why)),
        }
    }

    /// Compiles functions of other tools' interfaces that programs may call.
    pub fn build_interfaces(&self, native: bool) -> Result<(), Error> {
        self.build(&self.interfaces(native), |dir, archive| {
            let sources = sources("models/interfaces/").map(|path| self.root.join(path));
            let objects =
                sources.map(
                    |source| {
                        if native { self.compile_natively(&source, dir) } else { self.compile(&source, &[], dir) }
                    },
                );
            self.archive(&objects.collect::<Result<Vec<_>, _>>()?, archive)
        })
    }

    /// Compiles the models of the C library, in parallel because there are many. If it is interrupted, the next build
    /// continues with the existing files.
    pub fn build_models(&self) -> Result<(), Error> {
        self.build(&self.models(), |_, archive| {
            // Only on terminals: `configure` treats any output as a warning.
            if io::stderr().is_terminal() {
                eprintln!("compiling the models of the C library, which this tine does once");
            }
            let dir = &self.built.join("models");
            fs::create_dir_all(dir).map_err(|why| failed("make", dir, why))?;
            let sources: Vec<PathBuf> = LIBC.into_iter().flat_map(sources).map(|path| self.root.join(path)).collect();
            let workers = std::thread::available_parallelism().map_or(1, |n| n.get()).min(sources.len());
            let next = AtomicUsize::new(0);
            let work = || {
                let mut objects = Vec::new();
                while let Some(source) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
                    objects.push(self.compile(source, MODEL_FLAGS, dir)?);
                }
                Ok(objects)
            };
            let objects: Result<Vec<Vec<PathBuf>>, Error> = std::thread::scope(|scope| {
                let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
                workers.into_iter().map(|worker| worker.join().expect("compiling does not panic")).collect()
            });
            let mut objects = objects?.concat();
            objects.sort();
            self.archive(&objects, archive)?;
            // They are now in the archive.
            let _ = fs::remove_dir_all(dir);
            Ok(())
        })
    }

    fn compile_natively(&self, source: &Path, dir: &Path) -> Result<PathBuf, Error> {
        let object = dir.join(stem(source)).with_extension("o");
        self.clang(source, &["-O2", "-c"], &object)?;
        Ok(object)
    }

    /// Compiles and instruments, unless the result exists.
    fn compile(&self, source: &Path, flags: &[&str], dir: &Path) -> Result<PathBuf, Error> {
        let object = dir.join(stem(source)).with_extension("o");
        if object.is_file() {
            return Ok(object);
        }
        let (bitcode, unfinished) = (object.with_extension("bc"), object.with_extension("part"));
        let flags = [&["-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-c"], flags].concat();
        self.clang(source, &flags, &bitcode)?;
        let headers = self.include();
        instrument::instrument(
            &bitcode,
            &unfinished,
            Emit::Object,
            true,
            &Mode::default(),
            &headers,
            modelled_functions(),
        )?;
        fs::rename(&unfinished, &object).map_err(|why| failed("make", &object, why))?;
        Ok(object)
    }

    fn archive(&self, objects: &[PathBuf], archive: &Path) -> Result<(), Error> {
        let status =
            Command::new("ar").arg("rcs").arg(archive).args(objects).status().map_err(|why| match why.kind() {
                io::ErrorKind::NotFound => Error::NoArchiver("ar"),
                _ => Error::Io { what: "run ar".into(), why },
            })?;
        if status.success() { Ok(()) } else { Err(self.own_file(archive)) }
    }

    /// Builds a library that defines every symbol of the runtime without code, for `-z defs`. A shared library uses the
    /// runtime of the program that loads it, but the linker requires a definition.
    ///
    /// A library linked with the stub depends on it by its `soname`. So that the stub need not be found later, it has
    /// the name of the dynamic loader, which always exists. The linker then treats it as the loader, so it also defines
    /// the loader's one function that compilers call.
    pub fn build_stub(&self) -> Result<(), Error> {
        self.build(&self.stub(), |dir, library| {
            let source = dir.join("stub.c");
            let mut text = format!("_Thread_local char {PASSING}[8];\nvoid __tls_get_addr(void) {{}}\n");
            for symbol in runtime_symbols().iter().filter(|symbol| *symbol != PASSING) {
                text.push_str(&format!("void {symbol}(void) {{}}\n"));
            }
            fs::write(&source, text).map_err(|why| failed("write", &source, why))?;
            self.clang(&source, &["-shared", "-nostdlib", "-Wl,-soname,ld-linux-x86-64.so.2"], library)
        })
    }

    fn build(&self, product: &Path, make: impl FnOnce(&Path, &Path) -> Result<(), Error>) -> Result<(), Error> {
        if product.is_file() {
            return Ok(());
        }
        private_directory(&self.built)?;
        // With `make -j`, many processes need it at once: one builds it, the others wait.
        let path = product.with_extension("lock");
        let lock = fs::File::create(&path).map_err(|why| failed("make", &path, why))?;
        lock.lock().map_err(|why| failed("lock", &path, why))?;
        if product.is_file() {
            return Ok(());
        }
        let staged = staging(&self.built)?;
        let made = staged.path().join("made");
        make(staged.path(), &made)?;
        fs::rename(&made, product).map_err(|why| failed("make", product, why))
    }

    fn clang(&self, source: &Path, flags: &[&str], output: &Path) -> Result<(), Error> {
        // Source positions in models are shown without the path of the cache.
        let shown = format!("-fdebug-prefix-map={}={MODELS_FOLDER}", self.root.join("models").display());
        let status = Command::new(Driver::C.program())
            .args(["-g", "-w", "-fPIC", &shown, "-isystem"])
            .arg(self.include())
            .arg("-isystem")
            .arg(self.include().join("compat"))
            .args(flags)
            .arg(source)
            .arg("-o")
            .arg(output)
            .stdin(Stdio::null())
            .status()
            .map_err(|why| match why.kind() {
                io::ErrorKind::NotFound => Error::NoClang(Driver::C.program()),
                _ => Error::Io { what: "run clang-22".into(), why },
            })?;
        if status.success() { Ok(()) } else { Err(self.own_file(source)) }
    }

    fn own_file(&self, file: &Path) -> Error {
        Error::OwnFile(file.display().to_string(), self.root.display().to_string())
    }
}

/// Functions of the C library that have a model, which is in a file of the same name.
pub(super) fn modelled_functions() -> Vec<String> {
    LIBC.into_iter().flat_map(sources).map(|path| stem(Path::new(path)).to_owned()).collect()
}

/// The C files of a folder.
fn sources(folder: &'static str) -> impl Iterator<Item = &'static str> {
    let paths = embedded::FILES.iter().map(|(path, _)| *path);
    paths.filter(move |path| path.starts_with(folder) && path.ends_with(".c"))
}

fn stem(path: &Path) -> &str {
    path.file_stem().and_then(|name| name.to_str()).unwrap_or("unit")
}

/// A new directory in `parent`, which is created if necessary.
fn staging(parent: &Path) -> Result<tempfile::TempDir, Error> {
    fs::create_dir_all(parent)
        .and_then(|()| tempfile::Builder::new().prefix(".staging-").tempdir_in(parent))
        .map_err(|why| failed("write to the cache", parent, why))
}

fn failed(what: &str, path: &Path, why: io::Error) -> Error {
    Error::Io { what: format!("{what} {}", path.display()), why }
}

/// The user's cache. Without a home directory (package builds), one in the temporary directory, for this user only.
fn cache() -> PathBuf {
    let set = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || set("HOME").filter(|home| home.is_dir()).map(|home| home.join(".cache"));
    // Any user can create a directory of this name there, so `unpack` checks the owner.
    set("XDG_CACHE_HOME").or_else(home).unwrap_or_else(|| std::env::temp_dir().join(format!("tine-cache-{}", user())))
}
