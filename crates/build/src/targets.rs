//! Targets for the engine: functions of a unit, sequences of calls, whole programs.

mod versions;

use std::cell::OnceCell;
use std::path::PathBuf;

use tine_engine::config::Config;
use tine_engine::target::{Harness, Kind, PROGRAM, Target, UNIT, UNIT_NATIVE};
use tine_session::summary::{How, UndefinedSymbol};
use tine_types::linkage::Linkage;
use tine_types::{Function, Program};

use crate::driver::{self, Driver, Wishes, made, sequence};
use crate::external::{self, External};
use crate::specs::{self, Monitors};
use crate::{Error, Unit};

pub use versions::{Compared, Versions};

/// Functions of a unit that can be explored.
#[derive(Debug)]
pub struct Functions<'a> {
    unit: &'a Unit,
    volatile: bool,
    program: Program,
    /// The program with functions of the other files, to make objects.
    whole: OnceCell<Option<Program>>,
    wishes: Wishes,
    monitors: Monitors,
    environment: Vec<UndefinedSymbol>,
}

impl<'a> Functions<'a> {
    /// Reads the types and the undefined symbols of a unit.
    pub fn new(unit: &'a Unit, config: &Config) -> Result<Functions<'a>, Error> {
        let (mut program, mut linkage) = unit.types()?;
        if !config.stub.is_empty() {
            program = unit.types_with_declarations()?;
        } else if config.function.as_ref().is_some_and(|name| program.function(name).is_none()) {
            (program, linkage) = unit.types_with_inline()?;
        }
        program = with_others(unit, program, config.requires.iter().chain(&config.ensures).map(String::as_str))?;
        let symbols = Symbols::new(unit, &program, &linkage, &config.stub)?;
        let environment = symbols.environment.clone();
        let wishes = wishes(unit, config, &program, &linkage, symbols);
        let monitors = specs::monitors(unit, &config.spec)?;
        let (volatile, whole) = (config.volatile, OnceCell::new());
        Ok(Functions { unit, volatile, program, whole, wishes, monitors, environment })
    }

    /// Functions of the first file that other files can call, in the order of the file.
    pub fn names(&self) -> Result<Vec<String>, Error> {
        let is_own =
            |function: &&Function| function.external && function.has_code && self.unit.is_main_file(&function.file);
        let mut functions: Vec<&Function> = self.program.functions().iter().filter(is_own).collect();
        functions.sort_by_key(|function| function.line);
        if functions.is_empty() {
            return Err(Error::request(
                format!("{} defines no function that other files can call", self.unit.name()),
                "name a `static` one with --fn",
            ));
        }
        Ok(functions.into_iter().map(|function| function.name.clone()).collect())
    }

    /// Builds a harness around the function `name`.
    pub fn target(&self, name: &str) -> Result<Target, Error> {
        let function = self.program.function(name).ok_or_else(|| unknown_function(&self.program, name, self.unit))?;
        let mut driver = driver::driver(&self.program, function, self.unit.main_file(), &self.wishes)?;
        driver.text += &self.monitors.text(0, true).unwrap_or_default();
        let (program, harness, files) = build(self.unit, driver, self.volatile, &self.monitors)?;
        Ok(self.around(name, program, Kind::Function(harness), files))
    }

    /// C names of structures that functions of the unit make and that parameters of the function `name` point to.
    pub fn made_types(&self, name: &str) -> Vec<String> {
        let program = self.whole();
        program.function(name).map_or_else(Vec::new, |function| made::made_types(program, function))
    }

    /// Builds a harness that calls the function `name` with objects that functions of the unit make.
    pub fn made_target(&self, name: &str) -> Result<Option<Target>, Error> {
        let program = self.whole();
        let Some(function) = program.function(name) else { return Ok(None) };
        let driver = made::driver(program, function, self.unit.main_file(), &self.wishes)?;
        let Some(mut driver) = driver else { return Ok(None) };
        driver.text += &self.monitors.text(0, false).unwrap_or_default();
        let (program, harness, files) = build(self.unit, driver, self.volatile, &self.monitors)?;
        Ok(Some(self.around(name, program, Kind::Sequence(harness), files)))
    }

    /// The program with functions of the other files. Without them if there are stubs, whose types belong to the first.
    fn whole(&self) -> &Program {
        let read = || self.unit.types_with_others().ok().flatten().filter(|_| self.wishes.stubs.is_empty());
        self.whole.get_or_init(read).as_ref().unwrap_or(&self.program)
    }

    fn around(&self, name: &str, program: PathBuf, kind: Kind, files: Vec<(PathBuf, String)>) -> Target {
        Target {
            name: name.to_owned(),
            program,
            kind,
            seeds: Vec::new(),
            specs: self.monitors.specs.clone(),
            environment: self.environment.clone(),
            files,
            sources: self.unit.sources(),
            flags: self.unit.flags().to_vec(),
            built_in: std::env::current_dir().unwrap_or_default(),
        }
    }
}

/// The program with functions of the other files, if it needs one of them that the first file declares.
fn with_others<'n>(unit: &Unit, program: Program, mut names: impl Iterator<Item = &'n str>) -> Result<Program, Error> {
    if names.all(|name| program.function(name).is_some()) {
        return Ok(program);
    }
    Ok(unit.types_with_others()?.unwrap_or(program))
}

/// Settings of a harness.
fn wishes(unit: &Unit, config: &Config, program: &Program, linkage: &Linkage, symbols: Symbols) -> Wishes {
    let variables = symbols.definitions();
    Wishes {
        requires: config.requires.clone(),
        ensures: config.ensures.clone(),
        lengths: config.len.clone(),
        types: config.types.clone(),
        globals: globals(program, unit, &config.globals),
        stubs: symbols.stubs,
        missing: symbols.missing,
        variables,
        address_taken: linkage.address_taken.iter().cloned().collect(),
        any_enum: config.any_enum,
        max_elements: config.bounds().elements,
    }
}

/// Builds a harness that makes sequences of calls.
pub fn sequence(unit: &Unit, config: &Config) -> Result<Target, Error> {
    let of_protocol = if config.calls.is_none() { specs::calls(unit, &config.spec)? } else { None };
    let calls_text = config.calls.as_deref().or(of_protocol.as_deref()).ok_or_else(|| {
        Error::request("there are no calls to make", "name them with --calls, or give a specification of the calls")
    })?;
    let max_calls = config.max_calls.map_or(0, |max| max.get() as u32);
    let calls = sequence::Calls::parse(calls_text, max_calls)?;
    let (mut program, linkage) = unit.types()?;
    if !config.stub.is_empty() {
        program = unit.types_with_declarations()?;
    }
    let invariants = || config.requires.iter().chain(&config.ensures).map(String::as_str);
    program = with_others(unit, program, calls.names().chain(invariants()))?;
    let mut named = calls.names().chain(invariants());
    if let Some(unknown) = named.find(|name| program.function(name).is_none()) {
        return Err(unknown_function(&program, unknown, unit));
    }
    let symbols = Symbols::new(unit, &program, &linkage, &config.stub)?;
    let environment = symbols.environment.clone();
    let wishes = wishes(unit, config, &program, &linkage, symbols);
    let mut driver = sequence::driver(&program, &calls, unit.main_file(), &wishes)?;
    let monitors = specs::monitors(unit, &config.spec)?;
    driver.text += &monitors.text(0, false).unwrap_or_default();
    let (program, harness, files) = build(unit, driver, config.volatile, &monitors)?;
    Ok(Target {
        name: calls_text.to_owned(),
        program,
        kind: Kind::Sequence(harness),
        seeds: Vec::new(),
        specs: monitors.specs,
        environment,
        files,
        sources: unit.sources(),
        flags: unit.flags().to_vec(),
        built_in: std::env::current_dir().unwrap_or_default(),
    })
}

/// Builds the program from the files, including `main`.
pub fn program(
    unit: &Unit,
    name: String,
    arguments: Vec<String>,
    directory: PathBuf,
    specs: &[PathBuf],
) -> Result<Target, Error> {
    let missing = unit.missing_functions()?;
    let monitors = specs::monitors(unit, specs)?;
    let program = unit.build_program(&missing, &monitors)?;
    Ok(Target {
        name,
        files: vec![(program.clone(), PROGRAM.to_owned())],
        program,
        kind: Kind::Program { arguments, directory },
        seeds: Vec::new(),
        specs: monitors.specs,
        environment: missing.into_iter().map(|function| UndefinedSymbol { function, how: How::Missing }).collect(),
        sources: unit.sources(),
        flags: unit.flags().to_vec(),
        built_in: std::env::current_dir().unwrap_or_default(),
    })
}

/// The instrumented program, its harness, and the files for the session.
type Built = (PathBuf, Harness, Vec<(PathBuf, String)>);

fn build(unit: &Unit, driver: Driver, volatile: bool, monitors: &Monitors) -> Result<Built, Error> {
    let (program, native) = unit.build(&driver.text, volatile, monitors)?;
    let files = [(&program, UNIT), (&native, UNIT_NATIVE), (&unit.driver(), "driver.c")];
    let files = files.map(|(file, name)| (file.clone(), name.to_owned())).to_vec();
    Ok((
        program,
        Harness {
            native,
            roots: driver.roots,
            callables: driver.callables,
            contract: driver.contract,
            implied_lengths: driver.implied_lengths,
        },
        files,
    ))
}

fn unknown_function(program: &Program, name: &str, unit: &Unit) -> Error {
    // Not those of headers, unless there are no others.
    let own = program.functions().iter().filter(|function| unit.is_main_file(&function.file));
    let own: Vec<&str> = own.map(|function| function.name.as_str()).collect();
    let is_shown = |function: &&str| own.is_empty() || own.contains(function);
    let near: Vec<&str> = program.nearest_functions(name).into_iter().filter(is_shown).collect();
    let quoted = |names: &[&str], between| -> String {
        names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(between)
    };
    let all = program.functions().iter().map(|function| function.name.as_str());
    let first: Vec<&str> = all.filter(is_shown).take(5).collect();
    let help = if !near.is_empty() {
        format!("did you mean {}?", quoted(&near, " or "))
    } else if !first.is_empty() {
        format!("it defines {}{}", quoted(&first, ", "), if first.len() == 5 { " …" } else { "" })
    } else {
        format!("{} defines nothing, or --cflags switch debug information off", unit.name())
    };
    Error::request(format!("there is no function `{name}` in {}", unit.name()), help)
}

/// Undefined symbols of a unit.
#[derive(Default)]
struct Symbols {
    /// Functions that become stubs.
    stubs: Vec<Function>,
    /// Undefined functions: a call is an error.
    missing: Vec<String>,
    /// Functions that the unit defines as `inline` without exporting them.
    inline: Vec<String>,
    /// Undefined variables, with definitions that set them to zero.
    variables: Vec<(String, String)>,
    /// Entries for the summary.
    environment: Vec<UndefinedSymbol>,
}

impl Symbols {
    fn new(unit: &Unit, program: &Program, linkage: &Linkage, wanted: &[String]) -> Result<Symbols, Error> {
        let elsewhere = if linkage.undefined.is_empty() { None } else { unit.defined_elsewhere()? };
        let is_undefined = |name: &String| {
            elsewhere.as_ref().is_some_and(|known| !known.contains(name)) && !external::is_linkers(name)
        };
        let stubs = stubs(program, linkage, wanted, &is_undefined)?;
        let is_stub = |name: &String| stubs.iter().any(|stub| stub.name == *name);
        // An undefined weak symbol is absent, which is not an error.
        let fate = |name: &String| match is_undefined(name) {
            _ if is_stub(name) => Some(How::Stub),
            false => Some(How::Library),
            true if linkage.weak.contains(name) => None,
            true => Some(How::Missing),
        };
        let is_missing = |name: &&String| fate(name) == Some(How::Missing);
        let mut missing: Vec<String> = linkage.called.iter().filter(is_missing).cloned().collect();
        let used = linkage.undefined.difference(&linkage.called);
        let used: Vec<String> = used.filter(|name| is_undefined(name)).cloned().collect();
        let External { variables, functions } = unit.variables_among(&used)?;
        missing.extend(functions.into_iter().filter(|name| !is_stub(name)));
        let inline = unit.inline_among(&missing, 0)?;
        missing.retain(|name| !inline.contains(name));
        // Functions of tine.h do not count as the user's.
        let is_own = |name: &String| name.starts_with("__tine_") || inline.contains(name);
        let called = linkage.called.iter().filter(|name| !is_own(name));
        let called = called.filter_map(|name| Some(UndefinedSymbol { function: name.clone(), how: fate(name)? }));
        let zeros = variables.iter().map(|(name, _)| UndefinedSymbol { function: name.clone(), how: How::Zeros });
        let environment = called.chain(zeros).collect();
        Ok(Symbols { stubs, missing, inline, variables, environment })
    }

    /// Definitions of undefined variables and of `inline` functions.
    fn definitions(&self) -> Vec<String> {
        let own = self.variables.iter().map(|(_, definition)| definition.clone());
        // A declaration without `inline` exports the definition to other files.
        own.chain(self.inline.iter().map(|name| format!("extern __typeof__({name}) {name};"))).collect()
    }
}

/// The functions that become stubs.
fn stubs(
    program: &Program,
    linkage: &Linkage,
    wanted: &[String],
    is_undefined: &dyn Fn(&String) -> bool,
) -> Result<Vec<Function>, Error> {
    let mut names: Vec<&String> = wanted.iter().filter(|name| *name != "all").collect();
    if names.len() < wanted.len() {
        names.extend(linkage.called.iter().filter(|name| is_undefined(name)));
    }
    let find = |name: &String| {
        let known = program.declared().iter().find(|function| function.name == *name);
        known.cloned().ok_or_else(|| {
            let all: Vec<String> = linkage.called.iter().map(|name| format!("`{name}`")).collect();
            let help = if all.is_empty() {
                "it calls none that it does not define".to_owned()
            } else {
                format!("it calls {}", all.join(", "))
            };
            Error::request(format!("--stub: the unit calls no function `{name}` that it does not define"), help)
        })
    };
    names.into_iter().map(find).collect()
}

/// The global variables that `wanted` names, or all writable ones.
fn globals(program: &Program, unit: &Unit, wanted: &[String]) -> Vec<String> {
    if !wanted.iter().any(|name| name == "all") {
        return wanted.to_vec();
    }
    let types = &program.types;
    let is_const = |mut ty| {
        while let tine_types::Kind::Array { element, .. } = types.kind(types.strip(ty)) {
            ty = *element;
        }
        types.is_qualified(ty, tine_types::graph::Qualifier::Const)
    };
    let variables = program.variables().iter();
    let own = variables.filter(|variable| unit.is_main_file(&variable.file) && !is_const(variable.ty));
    own.map(|variable| variable.name.clone()).collect()
}
