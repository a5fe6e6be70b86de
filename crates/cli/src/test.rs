//! `tine test`: one function, its parameters as inputs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tine_executor::{Bounds, Shapes};
use tine_session::Recorder;
use tine_types::Program;
use tine_types::map::Untouched;

use crate::driver::{Driver, Wishes, driver};
use crate::explore::{Target, absolute, explore, session_failure};
use crate::failure::Failure;
use crate::options::TestOptions;

pub(crate) fn test(options: &TestOptions) -> Result<u8, Failure> {
    let files = options.files.iter().map(|file| absolute(file)).collect::<Result<Vec<_>, _>>()?;
    // Of a header clang makes a precompiled one, of a directory nothing.
    let is_source = |file: &&PathBuf| file.is_file() && file.extension().is_none_or(|extension| extension != "h");
    if let Some(other) = options.files.iter().find(|file| !is_source(file)) {
        return Err(Failure::usage(
            format!("{} is not a C source file", other.display()),
            "give a file that ends in .c",
        ));
    }
    Recorder::check(&options.common.out).map_err(session_failure)?;
    let flags = split_flags(&options.cflags)?;
    let build = tempfile::Builder::new().prefix("tine-build-").tempdir().map_err(|why| {
        Failure::usage(format!("cannot make a directory to build in: {why}"), "set TMPDIR to a writable one")
    })?;
    let unit = Unit { files: &files, flags: &flags, build: build.path() };

    let program = unit.types()?;
    let Some(function) = program.function(&options.function) else {
        let near = program.nearest_functions(&options.function);
        let quoted = |names: &[&str], between| -> String {
            names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(between)
        };
        let first: Vec<&str> = program.functions().iter().map(|function| function.name.as_str()).take(5).collect();
        let help = if !near.is_empty() {
            format!("did you mean {}?", quoted(&near, " or "))
        } else if !first.is_empty() {
            format!("it defines {}{}", quoted(&first, ", "), if first.len() == 5 { " …" } else { "" })
        } else {
            format!("{} defines no function", options.files[0].display())
        };
        return Err(Failure::usage(
            format!("there is no function `{}` in {}", options.function, options.files[0].display()),
            help,
        ));
    };
    let wishes = Wishes { requires: options.inputs.requires.clone(), ensures: options.inputs.ensures.clone() };
    let driver = driver(&program, function, &files[0], &wishes).map_err(|why| {
        Failure::usage(
            why.to_string(),
            "write a `main` with tine.h that makes this input, build it with `tine cc` and use `tine run`",
        )
    })?;
    let (explored, native) = unit.build(&driver.text)?;
    let shapes = shapes(&native, &driver, options.inputs.bounds())?;
    let settings = serde_json::json!({
        "function": options.function,
        "files": options.files,
        "cflags": options.cflags,
        "program": "unit",
        "native": "unit.native",
    });
    let target = Target {
        name: options.function.clone(),
        // What replaying needs lives with the session.
        files: vec![(explored.clone(), "unit"), (native, "unit.native"), (unit.driver(), "driver.c")],
        program: explored,
        arguments: Vec::new(),
        directory: None,
        settings: settings.as_object().cloned().unwrap_or_default(),
        untouched: if options.inputs.lazy { Untouched::Hide } else { Untouched::Show },
        shapes,
    };
    explore(target, &options.common)
}

/// What the engine knows of the inputs' types, from the debug information of the driver's variables.
fn shapes(native: &Path, driver: &Driver, bounds: Bounds) -> Result<Shapes, Failure> {
    let unreadable = |why: &dyn std::fmt::Display| Failure::bug(format!("the driver's types cannot be read: {why}"));
    let bytes = std::fs::read(native).map_err(|why| unreadable(&why))?;
    let program = tine_types::dwarf::read(&bytes).map_err(|why| unreadable(&why))?;
    let root = |name: &String| program.variable(name).map(|variable| variable.ty).ok_or_else(|| unreadable(name));
    let roots = driver.roots.iter().map(root).collect::<Result<Vec<_>, _>>()?;
    Ok(Shapes::new(program.types, roots, Vec::new(), bounds))
}

/// What is compiled, and where.
struct Unit<'a> {
    files: &'a [PathBuf],
    flags: &'a [String],
    build: &'a Path,
}

impl Unit<'_> {
    fn driver(&self) -> PathBuf {
        self.build.join("driver.c")
    }

    /// Types and functions of the first file, by its debug information.
    fn types(&self) -> Result<Program, Failure> {
        let object = self.build.join("types.o");
        // Functions that the file itself does not use are there too.
        self.cc(&["--native", "-c", "-O0", "-w", "-femit-all-decls"], &[&self.files[0]], &object)?;
        let bytes = std::fs::read(&object)
            .map_err(|why| Failure::usage(format!("cannot read {}: {why}", object.display()), "try again"))?;
        tine_types::dwarf::read(&bytes).map_err(|why| {
            Failure::usage(
                format!("{} has no debug information that can be read: {why}", self.files[0].display()),
                "it defines nothing, or --cflags switch debug information off",
            )
        })
    }

    /// Builds the program to explore and its native twin.
    fn build(&self, driver: &str) -> Result<(PathBuf, PathBuf), Failure> {
        std::fs::write(self.driver(), driver)
            .map_err(|why| Failure::usage(format!("cannot write the driver: {why}"), "set TMPDIR to a writable one"))?;
        let explored = self.link("unit", &[])?;
        let native = self.link("unit.native", &["--native", "--checks"])?;
        Ok((explored, native))
    }

    /// The driver, which has the first file in it, with the others, whose `main` is not wanted.
    fn link(&self, name: &str, how: &[&str]) -> Result<PathBuf, Failure> {
        let mut objects = vec![self.driver()];
        for (index, file) in self.files.iter().enumerate().skip(1) {
            let object = self.build.join(format!("{name}-{index}.o"));
            let rename = format!("-Dmain=tine_main_of_file_{index}");
            self.cc(&[how, &["-c", &rename]].concat(), &[file], &object)?;
            objects.push(object);
        }
        let program = self.build.join(name);
        self.cc(how, &objects.iter().collect::<Vec<_>>(), &program)?;
        Ok(program)
    }

    /// Runs `tine cc`, whose messages are the user's to read.
    fn cc(&self, how: &[&str], inputs: &[&PathBuf], output: &Path) -> Result<(), Failure> {
        let tine = std::env::current_exe()
            .map_err(|why| Failure::usage(format!("cannot find tine itself: {why}"), "start it by its path"))?;
        let mut command = Command::new(tine);
        command.arg("cc").args(how).args(self.flags).arg("-g").args(inputs).arg("-o").arg(output);
        if !how.contains(&"-c") {
            command.arg("-lm");
        }
        let status = command
            .stdin(Stdio::null())
            .status()
            .map_err(|why| Failure::usage(format!("cannot start the compiler: {why}"), "try again"))?;
        match status.code() {
            Some(0) => Ok(()),
            Some(2) => Err(Failure::told()),
            Some(4) => Err(Failure::bug("the unit cannot be instrumented")),
            _ => Err(Failure::unit("the unit does not compile or link")),
        }
    }
}

/// Splits flags like a shell does: blanks separate, quotes join.
fn split_flags(text: &str) -> Result<Vec<String>, Failure> {
    shell_words::split(text)
        .map_err(|why| Failure::usage(format!("--cflags {text:?} cannot be split: {why}"), "close every quote"))
}
