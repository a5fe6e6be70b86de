//! `tine test`: functions of a file, one or each in turn, with their parameters as inputs.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tine_build::Unit;
use tine_build::cc::database;
use tine_build::unit::{absolute, split_flags};
use tine_report::table::{self, Row};
use tine_session::Recorder;
use tine_session::summary::{How, Surrounding};
use tine_types::linkage::Linkage;
use tine_types::map::Untouched;
use tine_types::{Function, Kind, Program};

use crate::explore::{
    Explored, Target, exit_code, explore, interrupted, print_json, print_safe, report, session_failure,
    stop_on_interrupt, style,
};
use crate::failure::{EXIT_FINE, Failure};
use crate::options::{CommonOptions, Init, InputOptions, TestOptions};
use crate::shapes::InputTypes;
use crate::trust::Source;
use tine_build::driver::{Wishes, driver};
use tine_build::external::{self, External};

/// For each function, where no time is given.
const TIME_EACH: Duration = Duration::from_secs(10);

pub(crate) fn test(options: &TestOptions) -> Result<u8, Failure> {
    let common = &options.common;
    let unit = unit(&options.files, &options.cflags, options.build.as_deref(), common.trust, common.build_timeout)?;
    if options.function.is_some() {
        Recorder::check(&options.common.out).map_err(session_failure)?;
    }
    let (mut program, mut linkage) = unit.types()?;
    if !options.inputs.stub.is_empty() {
        program = unit.types_with_declarations()?;
    } else if options.function.as_ref().is_some_and(|name| program.function(name).is_none()) {
        (program, linkage) = unit.types_with_inline()?;
    }
    let tester = Tester::new(&unit, &program, &linkage, &options.inputs)?;
    let Some(name) = &options.function else { return tester.test_each(options) };
    let function = program.function(name).ok_or_else(|| unknown_function(&program, name, &unit))?;
    let explored = tester.test_one(function, options, &options.common)?;
    let code = report(&explored, &options.common)?;
    check_requirements(&explored, &options.inputs)?;
    Ok(code)
}

/// The unit of some files, with the flags that `build`'s database has for the first one.
pub(crate) fn unit(
    files: &[PathBuf],
    cflags: &str,
    build: Option<&Path>,
    is_trusted: bool,
    timeout: Duration,
) -> Result<Unit, Failure> {
    let mut flags = match build {
        Some(build) => {
            let found = database::flags_of(build, &absolute(&files[0])?).map_err(|why| {
                let help = "let cmake (CMAKE_EXPORT_COMPILE_COMMANDS=1), meson or bear make it, or give --cflags";
                Failure::usage(why.to_string(), help)
            })?;
            let source = Source::new(&found.database, found.text.as_bytes(), is_trusted);
            if let Some(flag) = &found.untrusted {
                source.require(&format!("compiles with `{flag}`"))?;
            }
            found.flags
        }
        None => Vec::new(),
    };
    flags.extend(split_flags(cflags)?);
    Ok(Unit::new(files, flags, timeout, stop_on_interrupt())?)
}

/// What all functions of a unit have in common.
struct Tester<'a> {
    unit: &'a Unit,
    program: &'a Program,
    inputs: &'a InputOptions,
    wishes: Wishes,
    surroundings: Vec<Surrounding>,
}

impl<'a> Tester<'a> {
    fn new(
        unit: &'a Unit,
        program: &'a Program,
        linkage: &Linkage,
        inputs: &'a InputOptions,
    ) -> Result<Tester<'a>, Failure> {
        let elsewhere = if linkage.undefined.is_empty() { None } else { unit.defined_elsewhere()? };
        let is_missing = |name: &String| {
            elsewhere.as_ref().is_some_and(|known| !known.contains(name)) && !external::is_linkers(name)
        };
        let stubs = stubs(program, linkage, &inputs.stub, &is_missing)?;
        let is_stub = |name: &String| stubs.iter().any(|stub| stub.name == *name);
        let is_absent = |name: &String| linkage.weak.contains(name) && is_missing(name) && !is_stub(name);
        let needs = |name: &&String| is_missing(name) && !is_stub(name) && !is_absent(name);
        let mut missing: Vec<String> = linkage.called.iter().filter(needs).cloned().collect();
        let not_called: Vec<String> =
            linkage.undefined.difference(&linkage.called).filter(|name| is_missing(name)).cloned().collect();
        let External { variables, functions } = unit.variables_among(&not_called)?;
        missing.extend(functions.into_iter().filter(|name| !is_stub(name)));
        let inline = unit.inline_among(&missing, 0)?;
        missing.retain(|name| !inline.contains(name));
        let how = |name: &String| {
            let how = if is_stub(name) {
                How::Stub
            } else if missing.contains(name) {
                How::Missing
            } else {
                How::Library
            };
            Surrounding { function: name.clone(), how }
        };
        // What tine.h is written with is tine's own.
        let is_own = |name: &String| name.starts_with("__tine_") || inline.contains(name);
        let called = linkage.called.iter().filter(|name| !is_own(name) && !is_absent(name)).map(how);
        let zeros = variables.iter().map(|(name, _)| Surrounding { function: name.clone(), how: How::Zeros });
        let surroundings = called.chain(zeros).collect();
        let wishes = Wishes {
            requires: inputs.requires.clone(),
            ensures: inputs.ensures.clone(),
            lengths: inputs.len.clone(),
            types: inputs.types.clone(),
            globals: globals(program, unit.main_file(), &inputs.globals),
            stubs: stubs.clone(),
            missing: missing.clone(),
            variables: variables
                .into_iter()
                .map(|(_, definition)| definition)
                // A declaration without `inline` makes its definition everybody's.
                .chain(inline.iter().map(|name| format!("extern __typeof__({name}) {name};")))
                .collect(),
            address_taken: linkage.address_taken.iter().cloned().collect(),
            max_elements: inputs.bounds().elements,
        };
        Ok(Tester { unit, program, inputs, wishes, surroundings })
    }

    fn test_one(
        &self,
        function: &Function,
        options: &TestOptions,
        common: &CommonOptions,
    ) -> Result<Explored, Failure> {
        let driver = driver(self.program, function, self.unit.main_file(), &self.wishes)?;
        let (explored, native) = self.unit.build(&driver.text, self.inputs.volatile)?;
        let types = InputTypes::read(&native, &driver.roots, &driver.callables, self.inputs.bounds())?;
        let settings = serde_json::json!({
            "function": function.name,
            "files": options.files,
            "cflags": options.cflags,
            "program": "unit",
            "native": self.inputs.replayed(),
            "inputs": self.inputs.failing.line(),
        });
        let target = Target {
            name: function.name.clone(),
            // What replaying needs lives with the session.
            files: vec![(explored.clone(), "unit"), (native, "unit.native"), (self.unit.driver(), "driver.c")],
            program: explored,
            verified: None,
            arguments: Vec::new(),
            directory: None,
            inputs: self.inputs.failing.line(),
            seeds: Vec::new(),
            allow: false,
            surroundings: self.surroundings.clone(),
            random_fill: self.inputs.init == Init::Random,
            untouched: if self.inputs.lazy { Untouched::Hide } else { Untouched::Show },
            by_calls: false,
            prune: false,
            types,
            sources: self.unit.sources(),
            settings: settings.as_object().cloned().unwrap_or_default(),
        };
        explore(target, common, None)
    }

    /// Each function that other files can call, within the time given, which is shared among them (building takes none of it);
    /// the errors, and one table.
    fn test_each(&self, options: &TestOptions) -> Result<u8, Failure> {
        let file = self.unit.main_file().to_string_lossy();
        let is_own = |function: &&Function| function.external && function.has_code && file.ends_with(&*function.file);
        let mut functions: Vec<&Function> = self.program.functions().iter().filter(is_own).collect();
        functions.sort_by_key(|function| function.line);
        if functions.is_empty() {
            return Err(Failure::usage(
                format!("{} defines no function that other files can call", self.unit.name()),
                "name a `static` one with --fn",
            ));
        }
        for function in &functions {
            Recorder::check(&options.common.out.join(&function.name)).map_err(session_failure)?;
        }
        let mut spent = Duration::ZERO;
        let mut is_out_of_memory = false;
        let mut rows = Vec::new();
        let mut summaries = Vec::new();
        for (index, function) in functions.iter().enumerate() {
            let left = functions.len() - index;
            let time = match options.common.max_time {
                Some(total) => total.saturating_sub(spent) / left as u32,
                None => TIME_EACH,
            };
            let common = CommonOptions {
                out: options.common.out.join(&function.name),
                max_time: Some(time),
                ..options.common.clone()
            };
            match self.test_one(function, options, &common) {
                Ok(explored) => {
                    spent += Duration::from_millis(explored.summary.time_ms);
                    is_out_of_memory = explored.is_out_of_memory;
                    rows.push(Row::of(&explored.summary));
                    summaries.push(explored.summary);
                }
                // What was found before is still worth reporting.
                Err(_) if interrupted() && !summaries.is_empty() => break,
                Err(failure) if failure.is_usage() => rows.push(Row::skipped(&function.name, failure.message())),
                Err(failure) => return Err(failure),
            }
            if is_out_of_memory {
                eprintln!(
                    "warning: `{}` used up --memory and could not be stopped; the rest is left out",
                    function.name
                );
            }
            if interrupted() || is_out_of_memory {
                break;
            }
        }
        if options.common.output.json {
            print_json(&(serde_json::json!({ "functions": summaries }).to_string() + "\n"))?;
        } else {
            let (out, style) = (&options.common.out, style(std::io::stdout().is_terminal()));
            print_safe(&(table::errors(&summaries, out, style) + &table::functions(&rows, out, style)))?;
        }
        Ok(summaries.iter().map(exit_code).max().unwrap_or(EXIT_FINE))
    }
}

pub(crate) fn unknown_function(program: &Program, name: &str, unit: &Unit) -> Failure {
    let near = program.nearest_functions(name);
    let quoted = |names: &[&str], between| -> String {
        names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(between)
    };
    let first: Vec<&str> = program.functions().iter().map(|function| function.name.as_str()).take(5).collect();
    let help = if !near.is_empty() {
        format!("did you mean {}?", quoted(&near, " or "))
    } else if !first.is_empty() {
        format!("it defines {}{}", quoted(&first, ", "), if first.len() == 5 { " …" } else { "" })
    } else {
        format!("{} defines nothing, or --cflags switch debug information off", unit.name())
    };
    Failure::usage(format!("there is no function `{name}` in {}", unit.name()), help)
}

/// A precondition that nothing satisfies would look like a success.
fn check_requirements(explored: &Explored, inputs: &InputOptions) -> Result<(), Failure> {
    let summary = &explored.summary;
    if summary.paths > 0 || summary.rejected == 0 {
        return Ok(());
    }
    let what = match inputs.requires.as_slice() {
        [] => "the assumptions".to_owned(),
        predicates => format!("`{}`", predicates.join("` and `")),
    };
    if summary.open > 0 || summary.solver.unknown > 0 {
        return Err(Failure::usage(
            format!("no input that satisfies {what} was found"),
            "give it more time, or a predicate that holds for smaller inputs",
        ));
    }
    Err(Failure::usage(
        format!("no input satisfies {what}"),
        "it is never true within the bounds: see --max-objects, --max-elements and --max-string",
    ))
}

/// The functions that are to return inputs.
fn stubs(
    program: &Program,
    linkage: &Linkage,
    wanted: &[String],
    is_missing: &dyn Fn(&String) -> bool,
) -> Result<Vec<Function>, Failure> {
    let mut names: Vec<&String> = wanted.iter().filter(|name| *name != "all").collect();
    if names.len() < wanted.len() {
        names.extend(linkage.called.iter().filter(|name| is_missing(name)));
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
            Failure::usage(format!("--stub: the unit calls no function `{name}` that it does not define"), help)
        })
    };
    names.into_iter().map(find).collect()
}

/// The global variables that `wanted` names, or all that can be written.
fn globals(program: &Program, file: &Path, wanted: &[String]) -> Vec<String> {
    if !wanted.iter().any(|name| name == "all") {
        return wanted.to_vec();
    }
    let file = file.to_string_lossy();
    let types = &program.types;
    let is_const = |mut ty| {
        while let Kind::Array { element, .. } = types.kind(types.strip(ty)) {
            ty = *element;
        }
        types.is_qualified(ty, tine_types::graph::Qualifier::Const)
    };
    let own = program.variables().iter().filter(|variable| file.ends_with(&variable.file) && !is_const(variable.ty));
    own.map(|variable| variable.name.clone()).collect()
}
