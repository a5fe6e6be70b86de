//! Two versions of a function as one target: see [`crate::driver::compare`].

use tine_engine::config::Config;
use tine_engine::target::{Harness, Kind, Target, UNIT, UNIT_NATIVE};
use tine_session::summary::UndefinedSymbol;
use tine_types::Function;

use super::{Functions, unknown_function};
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

fn prints(environment: &[UndefinedSymbol]) -> bool {
    environment.iter().any(|used| PRINTING.contains(&used.function.as_str()))
}

/// The old and the new version of a file.
#[derive(Debug)]
pub struct Versions<'a> {
    old: Functions<'a>,
    new: Functions<'a>,
}

/// A target that compares, and descriptions of results that it does not compare.
#[derive(Clone, Debug)]
pub struct Compared {
    pub target: Target,
    pub notes: Vec<String>,
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
        Ok(Versions { old: Functions::new(old, &plain)?, new: Functions::new(new, config)? })
    }

    /// Functions of the new version that other files can call and that the old version has, too.
    pub fn names(&self) -> Result<Vec<String>, Error> {
        let mut names = self.new.names()?;
        names.retain(|name| name != "main" && self.old.program.function(name).is_some());
        Ok(names)
    }

    /// Builds a harness that compares the versions of the function `name`.
    pub fn target(&self, name: &str, except: &[String]) -> Result<Compared, Error> {
        let Versions { old, new } = self;
        let version = |functions: &Functions<'_>| {
            let unknown = || unknown_function(&functions.program, name, functions.unit);
            functions.program.function(name).cloned().ok_or_else(unknown)
        };
        let (old_function, new_function) = (version(old)?, version(new)?);
        let comparison = compare::driver(of(old, &old_function), of(new, &new_function), except)?;
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
        let unseen = [old, new].map(|functions| functions.environment.iter().map(|used| &used.function));
        let unseen = unseen.into_iter().flatten().find(|name| UNSEEN.contains(&name.as_str()));
        notes.extend(unseen.map(|name| format!("`{name}` writes to a descriptor")));
        Ok(Compared { target, notes })
    }
}

/// The version of a function in a unit.
fn of<'b>(functions: &'b Functions<'_>, function: &'b Function) -> Version<'b> {
    Version {
        program: &functions.program,
        function,
        unit: functions.unit.main_file(),
        wishes: &functions.wishes,
        prints: prints(&functions.environment),
    }
}
