//! Two versions of a function as one target: see [`crate::driver::compare`].

use std::collections::BTreeSet;

use tine_engine::config::Config;
use tine_engine::target::{Harness, Kind, Target, UNIT, UNIT_NATIVE};
use tine_trace::map::MODEL;
use tine_types::Function;

use super::{Functions, unknown_function};
use crate::changes::functions::{Code, compiled, reachable};
use crate::driver::compare::{self, OLD, Version};
use crate::{Error, Unit};

/// Functions of the C library that print to a stream.
const PRINTING: &[&str] = &[
    "printf",
    "vprintf",
    "puts",
    "putchar",
    "putchar_unlocked",
    "fprintf",
    "vfprintf",
    "fputs",
    "fputs_unlocked",
    "fputc",
    "putc",
    "fwrite",
    "perror",
    "putw",
    "__printf_chk",
    "__fprintf_chk",
    "__vprintf_chk",
    "__vfprintf_chk",
];
/// Functions whose output is not observed.
const UNSEEN: &[&str] = &["write", "writev", "dprintf", "vdprintf", "pwrite", "sendfile", "send", "syslog"];

/// The old and the new version of a file.
#[derive(Debug)]
pub struct Versions<'a> {
    old: Functions<'a>,
    new: Functions<'a>,
    /// Code of both versions.
    codes: [Vec<Code>; 2],
}

/// A target that compares, and descriptions of results that it does not compare.
#[derive(Clone, Debug)]
pub struct Compared {
    pub target: Target,
    pub notes: Vec<String>,
    /// Variables that keep their initial values, although code may change them.
    pub state: Vec<String>,
}

impl<'a> Versions<'a> {
    /// Reads the types of both versions.
    pub fn new(old: &'a Unit, new: &'a Unit, config: &Config) -> Result<Versions<'a>, Error> {
        if config.volatile || !config.stub.is_empty() {
            let flag = if config.volatile { "--volatile" } else { "--stub" };
            return Err(Error::request(
                format!("{flag} is not supported here: both versions have to get the same inputs"),
                "give a file that defines the functions",
            ));
        }
        let plain = Config { globals: Vec::new(), spec: Vec::new(), ..config.clone() };
        let (of_old, of_new) = (Functions::new(old, &plain)?, Functions::new(new, config)?);
        let codes = [compiled(old, &[], true)?, compiled(new, &[], true)?];
        Ok(Versions { old: of_old, new: of_new, codes })
    }

    /// Functions of the new version that other files can call and that the old version has, too.
    pub fn names(&self) -> Result<Vec<String>, Error> {
        let mut names = self.new.names()?;
        names.retain(|name| name != "main" && self.old.program.function(name).is_some());
        Ok(names)
    }

    /// Functions that other files can call and that only the old or only the new version has.
    pub fn unpaired(&self) -> [Vec<String>; 2] {
        [(&self.old, &self.new), (&self.new, &self.old)].map(|(one, other)| {
            let mut names = one.names().unwrap_or_default();
            names.retain(|name| other.program.function(name).is_none());
            names
        })
    }

    /// Builds a harness that compares the versions of the function `name`.
    pub fn target(&self, name: &str, except: &[String]) -> Result<Compared, Error> {
        let Versions { old, new, codes } = self;
        let version = |functions: &Functions<'_>| {
            let unknown = || unknown_function(&functions.program, name, functions.unit);
            functions.program.function(name).cloned().ok_or_else(unknown)
        };
        let (old_function, new_function) = (version(old)?, version(new)?);
        let [of_old, of_new] = codes.each_ref().map(|codes| reachable(codes, name));
        let calls = |names: &[&str]| -> Option<String> {
            let called = of_old.functions.iter().chain(&of_new.functions);
            // Calls of a library function may lead to its model.
            let mut called = called.map(|name| name.strip_prefix(MODEL).unwrap_or(name));
            called.find(|name| names.contains(name)).map(str::to_owned)
        };
        let prints = calls(PRINTING).is_some();
        let comparison = compare::driver(of(old, &old_function, prints), of(new, &new_function, prints), except)?;
        let driver = comparison.driver;
        let (program, native) = new.unit.build_with_old(&driver.text, old.unit, &comparison.old, OLD)?;
        let files = [(&program, UNIT), (&native, UNIT_NATIVE), (&new.unit.driver(), "driver.c")];
        let harness = Harness {
            native: native.clone(),
            roots: driver.roots,
            callables: driver.callables,
            contract: None,
            implied_lengths: Vec::new(),
        };
        let target = Target {
            name: name.to_owned(),
            files: files.map(|(file, name)| (file.clone(), name.to_owned())).to_vec(),
            program,
            kind: Kind::Function(harness),
            seeds: Vec::new(),
            specs: Vec::new(),
            environment: new.environment.clone(),
            sources: [new.unit.sources(), old.unit.sources()].concat(),
            flags: new.unit.flags().to_vec(),
            built_in: std::env::current_dir().unwrap_or_default(),
        };
        let mut notes = comparison.notes;
        notes.extend(calls(UNSEEN).map(|name| format!("`{name}` writes to a descriptor")));
        let is_input = |name: &String| new.wishes.globals.contains(name);
        let state = [(old, of_old.state), (new, of_new.state)]
            .into_iter()
            .flat_map(|(functions, names)| names.into_iter().filter(move |name| may_change(functions, name)));
        let state: BTreeSet<String> = state.filter(|name| !is_input(name)).collect();
        Ok(Compared { target, notes, state: state.into_iter().collect() })
    }
}

/// True for a variable that may have another value than its initial one: neither a constant nor made by the compiler,
/// such as a string. A `static` variable `x` of a function `f` is called `f.x`.
fn may_change(functions: &Functions<'_>, name: &str) -> bool {
    let program = &functions.program;
    match name.split_once('.') {
        Some((function, _)) => program.function(function).is_some(),
        None => !program.variable(name).is_some_and(|variable| compare::is_const(program, variable.ty)),
    }
}

/// The version of a function in a unit.
fn of<'b>(functions: &'b Functions<'_>, function: &'b Function, prints: bool) -> Version<'b> {
    Version {
        program: &functions.program,
        function,
        unit: functions.unit.main_file(),
        wishes: &functions.wishes,
        prints,
    }
}
