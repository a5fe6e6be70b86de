//! Specifications of a unit: `--spec` files, specifications that ship with tine, and `//@` comments of the unit's files
//! and of the headers that the first one includes.
//!
//! They become C code after the harness, compiled with the unit's types (`tine_spec::c`).

use std::path::{Path, PathBuf};

use tine_engine::target::SpecStates;
use tine_spec::c::{self, Known, Shown, Signature, Source, Variable};
use tine_spec::{Mistake, Specs};
use tine_types::{Function, Kind, Program, TypeId};

use crate::{Error, Unit};

/// Specifications that ship with tine, by name.
const SHIPPED: [(&str, &str); 4] = [
    ("libc/overlap", include_str!("../../../specs/libc/overlap.spec")),
    ("libc/mutex", include_str!("../../../specs/libc/mutex.spec")),
    ("libc/stdio", include_str!("../../../specs/libc/stdio.spec")),
    ("libc/malloc", include_str!("../../../specs/libc/malloc.spec")),
];

/// Monitors of a unit. Empty without specifications.
#[derive(Clone, Debug, Default)]
pub(crate) struct Monitors {
    /// C code after each file.
    codes: Vec<String>,
    /// The hooks for the instrumenter.
    pub(crate) hooks: String,
    /// States of each specification.
    pub(crate) specs: Vec<SpecStates>,
}

impl Monitors {
    pub(crate) fn is_empty(&self) -> bool {
        self.hooks.is_empty()
    }

    /// C code after a file. `adopts`: objects of the input may have been used before, as parameters of a function are.
    pub(crate) fn text(&self, file: usize, adopts: bool) -> Option<String> {
        let text = self.codes.get(file).filter(|text| !text.is_empty())?;
        Some(format!("#define TINE_ADOPTS {}\n{text}", u8::from(adopts)))
    }
}

/// Calls for `tine sequence` from the specifications of a unit. Its first function makes the object, and any of them may
/// follow: the first one again if it is given the object. The preconditions of the specification exclude sequences that
/// the protocol does not allow.
pub(crate) fn calls(unit: &Unit, files: &[PathBuf]) -> Result<Option<String>, Error> {
    let read = read(unit, files)?;
    let program = unit.types_with_declarations()?;
    let mut calls: Vec<String> = Vec::new();
    for proposition in read.iter().flat_map(|(_, specs)| specs.iter()).flat_map(|spec| &spec.propositions) {
        let name = &proposition.function;
        let Some(function) = program.function(name).filter(|function| function.has_code) else { continue };
        let is_known = calls.iter().any(|known| known.trim_end_matches('*') == name);
        if calls.is_empty() {
            calls.push(name.clone());
            let Signature { result, parameters } = signature(&program, function);
            let returns_object = result.is_some_and(|result| result.ty.contains('*'));
            if !returns_object && parameters.first().is_some_and(|first| first.ty.contains('*')) {
                calls.push(format!("{name}*"));
            }
        } else if !is_known {
            calls.push(format!("{name}*"));
        }
    }
    Ok((!calls.is_empty()).then(|| calls.join(",")))
}

/// The specifications of a unit, with the file that each was read from.
fn read(unit: &Unit, files: &[PathBuf]) -> Result<Vec<(String, Specs)>, Error> {
    let mut read: Vec<(String, Specs)> = Vec::new();
    for file in files {
        let (name, text) = load(file)?;
        let specs = tine_spec::parse(&text).map_err(|mistake| at(&name, &mistake))?;
        read.push((name, specs));
    }
    for file in unit.sources().into_iter().chain(unit.headers()?) {
        let name = file.display().to_string();
        let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap_or_default()).into_owned();
        if text.contains("//@") {
            let (specs, skipped) = tine_spec::parse_comments(&text).map_err(|mistake| at(&name, &mistake))?;
            if let Some(line) = skipped.first() {
                eprintln!("warning: {name}:{line}: a `//@` comment outside of a specification is ignored");
            }
            read.push((name, specs));
        }
    }
    Ok(read)
}

/// Returns all monitors of a unit. Prints warnings about properties.
pub(crate) fn monitors(unit: &Unit, files: &[PathBuf]) -> Result<Monitors, Error> {
    let mut read = read(unit, files)?;
    if read.iter().all(|(_, specs)| specs.is_empty()) {
        return Ok(Monitors::default());
    }
    refuse_equal_names(&read)?;
    let programs = unit.programs()?;
    // A specification of a library mentions more functions than a unit calls.
    let is_shipped = |name: &String| SHIPPED.iter().any(|(shipped, _)| shipped == name);
    for (_, specs) in read.iter_mut().filter(|(name, _)| is_shipped(name)) {
        keep_known(specs, &programs);
    }
    let sources: Vec<Source<'_>> =
        read.iter().map(|(path, specs)| Source { path, specs, is_shipped: is_shipped(path) }).collect();
    let made = c::monitors(&sources, programs.len(), &|name| find(&programs, name)).map_err(|(path, mistake)| {
        let unknown = mistake.message.contains("is not defined in the unit");
        let name = mistake.message.split('`').nth(1).filter(|_| unknown).unwrap_or_default();
        let near = programs.iter().flat_map(|program| program.nearest_functions(name)).next();
        match near.filter(|_| unknown).map(|near| format!("did you mean `{near}`?")) {
            Some(help) => at(&path, &Mistake { help: Some(help), ..mistake }),
            None => at(&path, &mistake),
        }
    })?;
    for (path, line, what) in &made.warnings {
        eprintln!("warning: {path}:{line}: {what}");
    }
    let mut hooks = made.hooks;
    let functions = programs.iter().flat_map(Program::functions);
    for function in functions.filter(|function| function.external && function.has_code) {
        hooks += &format!("defined {}\n", function.symbol.as_ref().unwrap_or(&function.name));
    }
    let states = |states: c::States| SpecStates { name: states.spec, properties: states.properties };
    Ok(Monitors { codes: made.codes, hooks, specs: made.states.into_iter().map(states).collect() })
}

/// Reports, and the C code, name specifications.
fn refuse_equal_names(read: &[(String, Specs)]) -> Result<(), Error> {
    let mut known: Vec<(&str, &str)> = Vec::new();
    for (path, spec) in read.iter().flat_map(|(path, specs)| specs.iter().map(move |spec| (path, spec))) {
        if let Some((_, first)) = known.iter().find(|(name, _)| *name == spec.name) {
            let what =
                format!("{path}:{}: there is a specification with the name `{}` in {first}", spec.line, spec.name);
            return Err(Error::request(what, "give one of them another name"));
        }
        known.push((&spec.name, path));
    }
    Ok(())
}

fn load(file: &Path) -> Result<(String, String), Error> {
    let name = file.display().to_string();
    if let Some((_, text)) = SHIPPED.iter().find(|(shipped, _)| *shipped == name) {
        return Ok((name, (*text).to_owned()));
    }
    let text = std::fs::read_to_string(file).map_err(|why| {
        let names: Vec<String> = SHIPPED.iter().map(|(name, _)| format!("`{name}`")).collect();
        let help = format!("give a .spec file, or a specification that ships with tine: {}", names.join(", "));
        Error::request(format!("cannot read the specification {name}: {why}"), help)
    })?;
    Ok((name, text))
}

fn at(path: &str, mistake: &Mistake) -> Error {
    let help =
        mistake.help.clone().unwrap_or_else(|| "docs/reference/specifications.md describes the language".to_owned());
    Error::request(format!("{path}:{}:{}: {}", mistake.line, mistake.column, mistake.message), help)
}

/// Drops the propositions about functions that the unit neither defines nor calls. They can never hold.
fn keep_known(specs: &mut Specs, programs: &[Program]) {
    specs.retain_mut(|spec| {
        let known: Vec<bool> = spec.propositions.iter().map(|p| find(programs, &p.function).is_some()).collect();
        spec.forget(&known);
        known.iter().any(|known| *known)
    });
}

/// The function of the first file that knows it.
fn find(programs: &[Program], name: &str) -> Option<Known> {
    programs.iter().enumerate().find_map(|(file, program)| {
        let declared = || program.declared().iter().find(|function| function.name == name);
        let function = program.function(name).or_else(declared)?;
        let symbol = function.symbol.as_ref().unwrap_or(&function.name).clone();
        Some(Known { file, symbol, signature: signature(program, function) })
    })
}

fn signature(program: &Program, function: &Function) -> Signature {
    let types = &program.types;
    let shown = |ty: TypeId| match types.kind(types.strip(ty)) {
        Kind::Bool => Shown::Unsigned,
        Kind::Char { signed } => {
            if *signed {
                Shown::Signed
            } else {
                Shown::Unsigned
            }
        }
        Kind::Int { signed, bits } if *bits <= 64 => {
            if *signed {
                Shown::Signed
            } else {
                Shown::Unsigned
            }
        }
        Kind::Enum { .. } => Shown::Signed,
        _ => Shown::No,
    };
    let variable = |ty: TypeId, name: &str| Variable {
        name: name.to_owned(),
        declaration: types.declare(ty, name),
        ty: types.describe(ty),
        shown: shown(ty),
    };
    let parameters = function.params.iter().enumerate().map(|(index, parameter)| {
        variable(parameter.ty, &parameter.name.clone().unwrap_or_else(|| format!("tine_p{index}")))
    });
    let result = (function.ret != TypeId::VOID).then(|| variable(function.ret, "result"));
    Signature { result, parameters: parameters.collect() }
}
