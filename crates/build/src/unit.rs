//! The unit of `tine test` and `tine sequence`: C files, compiled for their types, with a harness for exploring and
//! replaying, or as a complete program.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tine_engine::temporary::Temporary;
use tine_engine::verified::digest;
use tine_trace::check::Checks;
use tine_trace::map::{DRIVER_FILE, MAIN_OF_UNIT};
use tine_types::linkage::{self, Linkage};
use tine_types::{Program, dwarf};

use crate::Error;
use crate::building::{BuildLimit, small_limit};
use crate::cc::{Assets, HOOK, HOOKS};
use crate::driver;
use crate::external::{self, External};
use crate::specs::Monitors;

/// Set for the compiler that this program runs as. It prevents a program without `compiler_main` from starting itself
/// forever.
const COMPILER_VARIABLE: &str = "TINE_COMPILER";

/// Constructs that C99 forbids and programs still use are warnings, as in other compilers. The user's flags come later
/// and can make them errors.
pub(crate) const OLDER_C: &[&str] = &[
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=return-mismatch",
];

/// C files, their flags, and the directory for building.
#[derive(Debug)]
pub struct Unit {
    /// Paths as specified by the user.
    given: Vec<PathBuf>,
    files: Vec<PathBuf>,
    flags: Vec<String>,
    build: Temporary,
    /// Checks to compile in.
    checks: Checks,
    limit: BuildLimit,
}

impl Unit {
    /// Creates a unit of `files` with `flags`. Building one program may take `timeout`, and ends when `stop` is set.
    pub fn new(
        files: &[PathBuf],
        mut flags: Vec<String>,
        checks: Checks,
        timeout: Duration,
        stop: &'static AtomicBool,
    ) -> Result<Unit, Error> {
        if std::env::var_os(COMPILER_VARIABLE).is_some() {
            return Err(Error::Bug("the program has to call `tine_build::compiler_main` first".to_owned()));
        }
        let given = files.to_vec();
        let files = given.iter().map(|file| absolute(file)).collect::<Result<Vec<_>, _>>()?;
        // Clang would precompile a header, and ignore a directory.
        let is_source = |file: &&PathBuf| file.is_file() && file.extension().is_none_or(|extension| extension != "h");
        if let Some(other) = given.iter().find(|file| !is_source(file)) {
            return Err(Error::request(
                format!("{} is not a C source file", other.display()),
                "give a file that ends in .c",
            ));
        }
        let build = Temporary::new("build").map_err(|why| {
            Error::request(format!("cannot make a directory to build in: {why}"), "set TMPDIR to a writable one")
        })?;
        let mut files = files;
        // `#include` has no escapes, so a path with a quote is linked under another name. Its own includes still work.
        if files[0].to_string_lossy().contains(['"', '\n']) {
            let plain = build.path().join("unit.c");
            std::os::unix::fs::symlink(&files[0], &plain).map_err(|why| {
                Error::request(format!("cannot make a link to {}: {why}", given[0].display()), "rename the file")
            })?;
            let folder = files[0].parent().unwrap_or(Path::new("/")).to_string_lossy().into_owned();
            // The link is gone after the build, so places name the file itself.
            let shown = format!("-fdebug-prefix-map={}={}", plain.display(), files[0].display());
            flags.extend(["-iquote".to_owned(), folder, shown]);
            files[0] = plain;
        }
        Ok(Unit { given, files, flags, build, checks, limit: BuildLimit::new(timeout, stop) })
    }

    /// The file whose functions are explored.
    pub fn main_file(&self) -> &Path {
        &self.files[0]
    }

    /// True if debug information uses this name for the main file: as it was passed to the compiler.
    pub(crate) fn is_main_file(&self, name: &str) -> bool {
        // Functions of other files have no name of a file.
        let is_known = !name.is_empty();
        let name = Path::new(name);
        let is_it = |path: PathBuf| self.main_file().canonicalize().is_ok_and(|main| path == main);
        is_known && self.main_file().ends_with(name) || name.canonicalize().is_ok_and(is_it)
    }

    /// The C files of the unit.
    pub fn sources(&self) -> Vec<PathBuf> {
        self.files.clone()
    }

    /// Flags for the compiler.
    pub fn flags(&self) -> &[String] {
        &self.flags
    }

    /// Path as specified by the user.
    pub fn name(&self) -> std::path::Display<'_> {
        self.given[0].display()
    }

    /// Path of the generated harness.
    pub fn driver(&self) -> PathBuf {
        self.build.path().join(DRIVER_FILE)
    }

    /// Types and functions of the first file, from its debug information, and its linkage.
    pub fn types(&self) -> Result<(Program, Linkage), Error> {
        self.types_as(&[])
    }

    /// Like `types`, including `inline` functions that the file does not export.
    pub fn types_with_inline(&self) -> Result<(Program, Linkage), Error> {
        self.types_as(&["-fgnu89-inline"])
    }

    fn types_as(&self, flags: &[&str]) -> Result<(Program, Linkage), Error> {
        // Also includes functions that the file itself does not use.
        let bytes =
            self.object(0, "types.o", &[&["-O0", "-ffunction-sections", "-femit-all-decls"], flags].concat())?;
        let program = match dwarf::read(&bytes) {
            Ok(program) => program,
            // The file may describe nothing.
            Err(dwarf::Error::NoDebugInfo) => Program::default(),
            Err(why) => {
                return Err(Error::request(
                    format!("{} has no debug information that can be read: {why}", self.name()),
                    "leave flags that change it out of --cflags",
                ));
            }
        };
        Ok((program, linkage::read(&bytes).unwrap_or_default()))
    }

    /// Like `types`, including functions that are called but not defined. The compiler describes those only when it
    /// optimises.
    pub fn types_with_declarations(&self) -> Result<Program, Error> {
        self.declarations_of(0)
    }

    /// Types and functions of each file, including functions that are called but not defined.
    pub(crate) fn programs(&self) -> Result<Vec<Program>, Error> {
        (0..self.files.len()).map(|file| self.declarations_of(file)).collect()
    }

    fn declarations_of(&self, file: usize) -> Result<Program, Error> {
        let flags = ["-O1", "-Xclang", "-disable-llvm-passes", "-fno-builtin", "-femit-all-decls"];
        let bytes = self.object(file, "declarations.o", &flags)?;
        match dwarf::read(&bytes) {
            Ok(program) => Ok(program),
            // The file may describe nothing.
            Err(dwarf::Error::NoDebugInfo) => Ok(Program::default()),
            Err(why) => Err(Error::Bug(format!("declarations cannot be read: {why}"))),
        }
    }

    /// Like `types`, including the functions of the other files that the first file declares. `None` if there are none.
    pub fn types_with_others(&self) -> Result<Option<Program>, Error> {
        const POINTER: &str = "tine_address_of_";
        let mut names = BTreeSet::new();
        for index in 1..self.files.len() {
            names.extend(self.defined_by(index)?);
        }
        if names.is_empty() {
            return Ok(None);
        }
        let text = self.build.path().join("declared.i");
        self.cc(&["--native", "-E", "-w"], &[&self.given[0]], &text)?;
        let text = String::from_utf8_lossy(&std::fs::read(&text).unwrap_or_default()).into_owned();
        let declared = driver::declared_functions(&text);
        names.retain(|name| declared.contains(name.as_str()) && name != "main");
        if names.is_empty() {
            return Ok(None);
        }
        let address = |name: &String| format!("#undef {name}\n__typeof__(&{name}) {POINTER}{name};\n");
        let pointers: String = names.iter().map(address).collect();
        let file = self.build.path().join("declared.c");
        std::fs::write(&file, driver::monitored(self.main_file(), &pointers)).map_err(|why| {
            Error::request(format!("cannot write {}: {why}", file.display()), "set TMPDIR to a writable one")
        })?;
        let object = self.build.path().join("declared.o");
        // A word may be something else than a function.
        if self.cc(&["--native", "-c", "-w", "-O0", "-femit-all-decls"], &[&file], &object).is_err() {
            return Ok(None);
        }
        let bytes = std::fs::read(&object).unwrap_or_default();
        Ok(dwarf::read(&bytes).ok().map(|program| program.with_functions_of(POINTER)))
    }

    /// Names that one of the other files defines.
    fn defined_by(&self, index: usize) -> Result<BTreeSet<String>, Error> {
        let object = self.build.path().join(format!("names-{index}.o"));
        if !object.exists() {
            self.cc(&["--native", "-c", "-w"], &[&self.files[index]], &object)?;
        }
        let bytes = std::fs::read(&object).unwrap_or_default();
        Ok(linkage::defined(&bytes).unwrap_or_default().into_iter().collect())
    }

    /// Names that the other files or the C library define. `None` if the flags name further libraries, which are not
    /// read.
    pub fn defined_elsewhere(&self) -> Result<Option<BTreeSet<String>>, Error> {
        let is_library =
            |flag: &String| flag.starts_with("-l") || [".a", ".so", ".o"].iter().any(|end| flag.ends_with(end));
        if self.flags.iter().any(is_library) {
            return Ok(None);
        }
        let mut names = BTreeSet::new();
        for index in 1..self.files.len() {
            names.extend(self.defined_by(index)?);
        }
        let assets = Assets::locate();
        assets
            .unpack()
            .and_then(|()| assets.build_interfaces(true))
            .map_err(|why| Error::request(why.to_string(), "see the first lines of the README"))?;
        for library in [assets.runtime(), assets.interfaces(true)] {
            let bytes = std::fs::read(library).unwrap_or_default();
            names.extend(linkage::defined(&bytes).unwrap_or_default());
        }
        names.extend(library_names());
        Ok(Some(names))
    }

    /// Sorts undefined symbols into variables, each with a definition that sets it to zero, and functions.
    pub fn variables_among(&self, names: &[String]) -> Result<External, Error> {
        if names.is_empty() {
            return Ok(External::default());
        }
        let file = self.build.path().join("names.ll");
        self.cc(&["--native", "-S", "-emit-llvm", "-w", "-O0"], &[&self.given[0]], &file)?;
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        Ok(external::sort(&text, names))
    }

    fn object(&self, file: usize, name: &str, flags: &[&str]) -> Result<Vec<u8>, Error> {
        let object = self.build.path().join(name);
        self.cc(&[&["--native", "-c", "-w"], flags].concat(), &[&self.given[file]], &object)?;
        std::fs::read(&object).map_err(|_| {
            // Clang passes unknown files to the linker, and makes no object.
            Error::request(format!("{} is not a C source file", self.name()), "give a file that ends in .c")
        })
    }

    /// The instrumented object file of one of the files.
    pub(crate) fn instrumented(&self, file: usize, name: &str, flags: &[String]) -> Result<Vec<u8>, Error> {
        let object = self.build.path().join(format!("{name}-{file}.o"));
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        self.cc(&[&["-c", "-w"], &flags[..]].concat(), &[&self.files[file]], &object)?;
        std::fs::read(&object).map_err(|why| Error::Bug(format!("the object file cannot be read: {why}")))
    }

    /// A file for `-ivfsoverlay`, with which the compiler reads these contents instead of the files.
    pub(crate) fn overlay<'a>(
        &self,
        contents: impl Iterator<Item = (&'a PathBuf, &'a String)>,
    ) -> Result<PathBuf, Error> {
        let cannot_write = |why: std::io::Error| {
            Error::request(format!("cannot write the version before: {why}"), "set TMPDIR to a writable directory")
        };
        let folder = self.build.path().join("before");
        std::fs::create_dir_all(&folder).map_err(cannot_write)?;
        let mut roots = Vec::new();
        for (number, (path, text)) in contents.enumerate() {
            let copy = folder.join(format!("{number}"));
            std::fs::write(&copy, text).map_err(cannot_write)?;
            roots.push(serde_json::json!({ "type": "file", "name": path, "external-contents": copy }));
        }
        // The names of the copies must not appear, because includes are relative to the name of a file.
        let overlay = serde_json::json!({ "version": 0, "use-external-names": false, "roots": roots });
        let path = folder.join("overlay.yaml");
        std::fs::write(&path, overlay.to_string()).map_err(cannot_write)?;
        Ok(path)
    }

    /// Builds the program to explore and its native version.
    ///
    /// With `volatile`, reads of volatile objects are inputs.
    pub(crate) fn build(&self, driver: &str, volatile: bool, monitors: &Monitors) -> Result<(PathBuf, PathBuf), Error> {
        self.limit.restart();
        std::fs::write(self.driver(), driver)
            .map_err(|why| Error::request(format!("cannot write the driver: {why}"), "set TMPDIR to a writable one"))?;
        let explored: &[&str] = if volatile { &["--volatile"] } else { &[] };
        let native = ["--native", "--checks", "-w"];
        if monitors.is_empty() {
            return Ok((self.link("unit", explored)?, self.link("unit.native", &native)?));
        }
        // The name that `main` has in a harness.
        let hooks = monitors.hooks.replace(" main ", &format!(" {MAIN_OF_UNIT} "));
        let program = |name: &str, how: &[&str]| -> Result<PathBuf, Error> {
            let hooks = self.hooks(name, &hooks)?;
            let mut objects = Vec::new();
            for (index, file) in self.files.iter().enumerate() {
                let rename = format!("-Dmain=tine_main_of_file_{index}");
                let (file, rename) = match index {
                    0 => (self.driver(), vec![]),
                    _ => (self.followed_by(file, index, monitors)?, vec![rename.as_str()]),
                };
                let object = self.build.path().join(format!("{name}-{index}.o"));
                self.hooked(&[how, &rename].concat(), &file, &object, &hooks)?;
                objects.push(object);
            }
            let program = self.build.path().join(name);
            self.cc(how, &objects.iter().collect::<Vec<_>>(), &program)?;
            Ok(program)
        };
        Ok((program("unit", explored)?, program("unit.native", &native)?))
    }

    /// Writes the list of hooks for one build. The compiler adds to it.
    fn hooks(&self, name: &str, hooks: &str) -> Result<PathBuf, Error> {
        let path = self.build.path().join(format!("{name}.hooks"));
        std::fs::write(&path, hooks)
            .map_err(|why| Error::request(format!("cannot write the hooks: {why}"), "set TMPDIR to a writable one"))?;
        Ok(path)
    }

    /// A file of the unit followed by its monitors: the file itself if it has none.
    fn followed_by(&self, file: &Path, index: usize, monitors: &Monitors) -> Result<PathBuf, Error> {
        let Some(text) = monitors.text(index, false).filter(|text| !text.is_empty()) else { return Ok(file.into()) };
        let path = self.build.path().join(format!("monitored-{index}/{DRIVER_FILE}"));
        let cannot_write = |why: std::io::Error| {
            Error::request(format!("cannot write the driver: {why}"), "set TMPDIR to a writable one")
        };
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).map_err(cannot_write)?;
        std::fs::write(&path, driver::monitored(file, &text)).map_err(cannot_write)?;
        Ok(path)
    }

    /// Compiles a file to an object that calls hooks.
    fn hooked(&self, how: &[&str], file: &PathBuf, object: &Path, hooks: &Path) -> Result<(), Error> {
        // Clang knows what functions such as `memcpy` do, and does not call them.
        let text = std::fs::read_to_string(hooks).unwrap_or_default();
        let monitored: BTreeSet<&str> = text.lines().filter_map(monitored_function).collect();
        let no_builtin: Vec<String> = monitored.iter().map(|name| format!("-fno-builtin-{name}")).collect();
        let no_builtin: Vec<&str> = no_builtin.iter().map(String::as_str).collect();
        if !how.contains(&"--native") {
            let list = format!("{HOOKS}{}", hooks.display());
            let how = [how, &no_builtin].concat();
            return self.cc(&[&[list.as_str()], &how[..], &["-c"]].concat(), &[file], object);
        }
        let bitcode = object.with_extension("bc");
        // A call that is inlined has no hook.
        let how = [how, &no_builtin, &["-c", "-emit-llvm", "-Xclang", "-disable-llvm-passes"]].concat();
        self.cc(&how, &[file], &bitcode)?;
        let mut command = self.compiler()?;
        command.arg(HOOK).arg(&bitcode).arg(object).arg(hooks).stdin(Stdio::null());
        match self.limit.run(&mut command)?.code() {
            Some(0) => Ok(()),
            Some(2) => Err(Error::Refused),
            _ => Err(Error::Bug("the monitors cannot be added to the native program".to_owned())),
        }
    }

    /// The command line of this program as a compiler.
    fn compiler(&self) -> Result<Command, Error> {
        let tine = std::env::current_exe()
            .map_err(|why| Error::request(format!("cannot find tine itself: {why}"), "start it by its path"))?;
        let mut command = Command::new(tine);
        command.env(COMPILER_VARIABLE, "1").arg("cc");
        Ok(command)
    }

    /// Headers that the first file includes, other than those of the system.
    pub(crate) fn headers(&self) -> Result<Vec<PathBuf>, Error> {
        let rule = self.build.path().join("headers.d");
        self.cc(&["--native", "-c", "-w", "-MM"], &[&self.given[0]], &rule)?;
        let text = std::fs::read_to_string(&rule).unwrap_or_default().replace("\\\n", " ");
        let files = shell_words::split(&text).unwrap_or_default();
        // The rule names its target and the file itself first.
        Ok(files.into_iter().skip(2).map(PathBuf::from).collect())
    }

    /// Digest of the files after preprocessing, with all macros: every included file and the compiler's version count.
    /// `None` if they cannot be preprocessed.
    pub fn code_digest(&self) -> Option<String> {
        let mut all = Vec::new();
        for (index, file) in self.files.iter().enumerate() {
            let output = self.build.path().join(format!("code-{index}.i"));
            let mut command = self.compiler().ok()?;
            command.args(["--native", "-E", "-dD", "-w"]).args(&self.flags).arg(file).arg("-o").arg(&output);
            // Otherwise, the time would be part of the code.
            command.env("SOURCE_DATE_EPOCH", "0").stdin(Stdio::null()).stderr(Stdio::null());
            if !self.limit.run(&mut command).ok()?.success() {
                return None;
            }
            all.extend(digest(&std::fs::read(output).ok()?).into_bytes());
        }
        Some(digest(&all))
    }

    /// The syntax tree of the first file, as clang prints it.
    pub(crate) fn syntax_tree(&self) -> Result<serde_json::Value, Error> {
        let output = self.build.path().join("tree.json");
        let failed = |why: String| Error::Bug(format!("the syntax tree cannot be read: {why}"));
        let file = std::fs::File::create(&output).map_err(|why| failed(why.to_string()))?;
        let tine = std::env::current_exe().map_err(|why| failed(why.to_string()))?;
        let mut command = Command::new(tine);
        command.env(COMPILER_VARIABLE, "1").args([
            "cc",
            "--native",
            "-fsyntax-only",
            "-w",
            "-Xclang",
            "-ast-dump=json",
        ]);
        command.args(OLDER_C).args(&self.flags).arg(&self.given[0]).stdin(Stdio::null()).stdout(file);
        if !self.limit.run(&mut command)?.success() {
            return Err(Error::Unit { what: "the unit does not compile".to_owned(), help: None });
        }
        let bytes = std::fs::read(&output).map_err(|why| failed(why.to_string()))?;
        serde_json::from_slice(&bytes).map_err(|why| failed(why.to_string()))
    }

    /// Those of the undefined names that a file defines as `inline` without exporting them. C allows a call to use
    /// another definition, and without optimisation it does.
    pub fn inline_among(&self, names: &[String], file: usize) -> Result<Vec<String>, Error> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let object = self.build.path().join("inline.o");
        self.cc(&["--native", "-c", "-w", "-fgnu89-inline"], &[&self.files[file]], &object)?;
        let defined = linkage::defined(&std::fs::read(&object).unwrap_or_default()).unwrap_or_default();
        Ok(names.iter().filter(|name| defined.contains(*name)).cloned().collect())
    }

    /// Undefined functions that the files call.
    pub fn missing_functions(&self) -> Result<Vec<String>, Error> {
        let Some(mut known) = self.defined_elsewhere()? else { return Ok(Vec::new()) };
        let mut called = BTreeSet::new();
        for (index, file) in self.files.iter().enumerate() {
            let object = self.build.path().join(format!("called-{index}.o"));
            self.cc(&["--native", "-c", "-w"], &[file], &object)?;
            let bytes = std::fs::read(&object).unwrap_or_default();
            known.extend(linkage::defined(&bytes).unwrap_or_default());
            let linkage = linkage::read(&bytes).unwrap_or_default();
            called.extend(linkage.called.difference(&linkage.weak).cloned());
        }
        let is_missing = |name: &&String| !known.contains(*name) && !external::is_linkers(name);
        let mut missing: Vec<String> = called.iter().filter(is_missing).cloned().collect();
        for file in 0..self.files.len() {
            let inline = self.inline_among(&missing, file)?;
            missing.retain(|name| !inline.contains(name));
        }
        Ok(missing)
    }

    /// Builds a program from the files, including `main`. A call of one of the functions in `missing` is an error.
    pub(crate) fn build_program(&self, missing: &[String], monitors: &Monitors) -> Result<PathBuf, Error> {
        let mut objects = Vec::new();
        let mut has_main = false;
        let cannot_write = |why: std::io::Error| {
            Error::request(format!("cannot write the driver: {why}"), "set TMPDIR to a writable one")
        };
        let hooks = if monitors.is_empty() { None } else { Some(self.hooks("program", &monitors.hooks)?) };
        for (index, file) in self.files.iter().enumerate() {
            let object = self.build.path().join(format!("program-{index}.o"));
            match &hooks {
                Some(hooks) => self.hooked(&[], &self.followed_by(file, index, monitors)?, &object, hooks)?,
                None => self.cc(&["-c"], &[file], &object)?,
            }
            let bytes = std::fs::read(&object).unwrap_or_default();
            has_main |= linkage::defined(&bytes).is_ok_and(|names| names.contains("main"));
            objects.push(object);
        }
        if !has_main {
            let help = "give the file that does, too; or explore functions with `tine test`";
            return Err(Error::request(format!("{} defines no `main`", self.name()), help));
        }
        if !missing.is_empty() {
            std::fs::write(self.driver(), driver::missing(missing)).map_err(cannot_write)?;
            objects.push(self.driver());
        }
        let program = self.build.path().join("program");
        self.cc(&[], &objects.iter().collect::<Vec<_>>(), &program)?;
        Ok(program)
    }

    /// Builds the harness of a session with clang's sanitizers.
    pub fn build_sanitized(&self, driver: &Path) -> Result<PathBuf, Error> {
        self.limit.restart();
        std::fs::copy(driver, self.driver())
            .map_err(|why| Error::request(format!("cannot copy {}: {why}", driver.display()), "explore again"))?;
        self.link("unit.sanitized", &["--native", "-fsanitize=address,undefined", "-w"])
    }

    /// Builds the program that calls two versions of a function, and its native version. `driver` includes this unit,
    /// the new version; `file` is the text that includes the old one. Symbols of the old version that do not begin with
    /// `prefix` become local.
    pub fn build_with_old(
        &self,
        driver: &str,
        old: &Unit,
        file: &str,
        prefix: &str,
    ) -> Result<(PathBuf, PathBuf), Error> {
        self.limit.restart();
        for (unit, text) in [(self, driver), (old, file)] {
            std::fs::write(unit.driver(), text).map_err(|why| {
                Error::request(format!("cannot write the driver: {why}"), "set TMPDIR to a writable one")
            })?;
        }
        let build = |name: &str, how: &[&str]| {
            // The harness compares the status of each exit.
            let how = &[how, &["-Dexit=tine_exit", "-D_exit=tine_exit_now", "-D_Exit=tine_exit_now"]].concat();
            let part = old.part(name, how, prefix)?;
            self.link_with(name, how, &[part])
        };
        Ok((build("unit", &[])?, build("unit.native", &["--native", "--checks", "-w"])?))
    }

    /// Links the harness and the other files to one object, in which only symbols that begin with `prefix` are visible.
    fn part(&self, name: &str, how: &[&str], prefix: &str) -> Result<PathBuf, Error> {
        let mut objects = Vec::new();
        for (index, file) in std::iter::once(&self.driver()).chain(self.files.iter().skip(1)).enumerate() {
            let object = self.build.path().join(format!("{name}-part-{index}.o"));
            let rename = format!("-Dmain=tine_main_of_old_file_{index}");
            self.cc(&[how, &["-c", &rename]].concat(), &[file], &object)?;
            objects.push(object);
        }
        let (joined, part) =
            (self.build.path().join(format!("{name}-joined.o")), self.build.path().join(format!("{name}-part.o")));
        let mut join = Command::new("ld");
        join.arg("-r").arg("-o").arg(&joined).args(&objects);
        let mut hide = Command::new("objcopy");
        hide.arg("--wildcard").arg(format!("--keep-global-symbol={prefix}*")).arg(&joined).arg(&part);
        for (command, name) in [(&mut join, "ld"), (&mut hide, "objcopy")] {
            let status = self.limit.run(command.stdin(Stdio::null()))?;
            if !status.success() {
                return Err(Error::request(
                    format!("`{name}` cannot prepare the old version"),
                    "install the Debian package binutils",
                ));
            }
        }
        Ok(part)
    }

    /// Links the harness, which includes the first file, with the other files. Their `main` is renamed.
    fn link(&self, name: &str, how: &[&str]) -> Result<PathBuf, Error> {
        self.link_with(name, how, &[])
    }

    /// Like `link`, with further objects.
    fn link_with(&self, name: &str, how: &[&str], further: &[PathBuf]) -> Result<PathBuf, Error> {
        let mut objects = [&[self.driver()], further].concat();
        for (index, file) in self.files.iter().enumerate().skip(1) {
            let object = self.build.path().join(format!("{name}-{index}.o"));
            let rename = format!("-Dmain=tine_main_of_file_{index}");
            self.cc(&[how, &["-c", &rename]].concat(), &[file], &object)?;
            objects.push(object);
        }
        let program = self.build.path().join(name);
        self.cc(how, &objects.iter().collect::<Vec<_>>(), &program)?;
        Ok(program)
    }

    /// The flags for a build. Without instrumentation nothing else leaves out sanitizers and link-time optimisation: the
    /// first add functions of their own, and the second makes files without debug information that can be read.
    fn flags_for(&self, how: &[&str]) -> Vec<&String> {
        let is_left_out = |flag: &str| {
            ["-fsanitize", "-fno-sanitize", "-flto", "-ffat-lto"].iter().any(|start| flag.starts_with(start))
        };
        self.flags.iter().filter(|flag| !how.contains(&"--native") || !is_left_out(flag)).collect()
    }

    /// Runs `tine cc`, which prints its messages for the user.
    fn cc(&self, how: &[&str], inputs: &[&PathBuf], output: &Path) -> Result<(), Error> {
        let mut command = self.compiler()?;
        command
            .arg(format!("--check={}", self.checks))
            .args(how)
            .args(OLDER_C)
            .args(self.flags_for(how))
            .arg("-g")
            .args(inputs)
            .arg("-o")
            .arg(output);
        let compiles = ["-c", "-S", "-E"].iter().any(|step| how.contains(step));
        if !compiles {
            command.arg("-lm");
        }
        // This directory's removal also removes temporary files of a compiler that was killed.
        command.stdin(Stdio::null()).env("TMPDIR", self.build.path());
        let status = self.limit.run(&mut command)?;
        match status.code() {
            Some(0) => Ok(()),
            Some(2) => Err(Error::Refused),
            Some(4) => Err(Error::Bug("the unit cannot be instrumented".to_owned())),
            _ if let Some(limit) = small_limit() => Err(Error::Unit {
                what: format!("the unit does not compile, perhaps because of the limit of `{limit}`"),
                help: Some(format!("raise it: `{limit} unlimited`, or as far as `{limit} -H` allows")),
            }),
            _ => {
                let link = " or link (give the files and -l flags it needs, or --stub what it calls)";
                let what = format!("the unit does not compile{}", if compiles { "" } else { link });
                Err(Error::Unit { what, help: None })
            }
        }
    }
}

/// Names that the C library and the compiler's library define.
pub(crate) fn library_names() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for library in ["libc.so.6", "libc_nonshared.a", "libm.so.6", "libgcc.a", "libgcc_s.so.1"] {
        let path = Command::new("clang-22").arg(format!("-print-file-name={library}")).output();
        let path = path.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
        let bytes = std::fs::read(path).unwrap_or_default();
        names.extend(linkage::defined(&bytes).unwrap_or_default());
    }
    names
}

/// The function of a line of the list of hooks.
fn monitored_function(line: &str) -> Option<&str> {
    let mut words = line.split(' ');
    matches!(words.next(), Some("call" | "return")).then(|| words.next())?
}

/// Splits flags like a shell does: blanks separate, quotes join.
pub fn split_flags(text: &str) -> Result<Vec<String>, Error> {
    shell_words::split(text)
        .map_err(|why| Error::request(format!("--cflags {text:?} cannot be split: {why}"), "close every quote"))
}

/// A path that does not change meaning with the working directory.
pub fn absolute(path: &Path) -> Result<PathBuf, Error> {
    path.canonicalize().map_err(|why| {
        let what = if why.kind() == std::io::ErrorKind::NotFound { "no such file".to_owned() } else { why.to_string() };
        Error::request(format!("{}: {what}", path.display()), "give the path of a file that can be read")
    })
}
