//! Tests in C: converts the inputs of a session to declarations, a call and expectations. Formats differ only in the
//! frame around these.
//!
//! ```text
//!   case ──memory──▶ objects with names ──write──▶ C ──observe──▶ observations ──expect──▶ Test
//! ```
//! `memory` decides on objects and their names, `write` writes them, `leaves` selects the observed values,
//! `observe` runs the tests once, `expect` turns observations into conditions, and `names` names and sorts tests.

mod bits;
mod condition;
mod expect;
pub(crate) mod frame;
pub(crate) mod fuzz;
mod fuzz_sequence;
mod leaves;
mod literal;
mod memory;
mod names;
pub(crate) mod observe;
mod opaque;
mod place;
mod sequence;
mod unit;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use tine_engine::Config;
use tine_engine::stored::Stored;
use tine_engine::target::{Harness, Kind as TargetKind, UNIT_NATIVE};
use tine_session::session::{Case, Error as Found};
use tine_session::summary::How;
use tine_session::{Session, Summary};
use tine_types::graph::Qualifier;
use tine_types::{Function, Kind, Program, TypeId, dwarf};

pub use expect::Expectation;
pub(crate) use memory::unused as unused_name;

use crate::Error;
use bits::Bits;
use expect::Expecting;
use frame::Head;
use leaves::Leaves;
use memory::{Declared, Form, Memory, Names, STYLES, Style};
use observe::{Candidate, Ending, FOR_MEMORY, Observed, Observer, PLAIN, UNOPTIMISED, WITH_SANITIZERS};
use place::Place;
use sequence::{Made, Object, Sequence, ShortNames};
use unit::Macros;
use write::{Argument, Planned, Writer, Written};

/// Maximum number of calls of one stub in a test.
const STUB_CALLS: usize = 64;

const REACH_ERROR: &str = "reach_error";

/// Reasons why a case is left out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    #[error("it requests the input `{0}` through tine.h")]
    Request(String),
    #[error("the type `{0}` cannot be written in C")]
    Type(String),
    #[error("a value of `{0}` cannot be written in C")]
    Value(String),
    #[error("the format has no pointers: use c, libfuzzer or json")]
    Pointer,
    #[error("it reads a stream")]
    Stream,
    #[error("its run was stopped before the call")]
    Stopped,
    #[error("calls make several objects of one type")]
    SameType,
    #[error("the test does not compile: {0}")]
    Uncompiled(String),
    #[error("it cannot be reproduced outside of tine: {0}")]
    Unreproduced(String),
}

/// A case without a test.
#[derive(Clone, Debug)]
pub struct LeftOut {
    pub case: u32,
    pub reason: Reason,
}

/// End of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ends {
    Returns,
    /// By `exit`.
    Exits(i32),
    /// With an error of the unit.
    Fails,
    /// Timeout.
    Hangs,
}

/// A call of a test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    /// `insert(&list, 1)`
    pub text: String,
    /// Declaration and name of the variable for the result.
    pub result: Option<(String, String)>,
}

impl Call {
    /// The statement. The result is dropped unless `is_used`.
    pub(crate) fn statement(&self, is_used: bool) -> String {
        match &self.result {
            Some((declaration, _)) if is_used => format!("{declaration} = {};", self.text),
            Some(_) => format!("(void){};", self.text),
            None => format!("{};", self.text),
        }
    }
}

/// One test.
#[derive(Clone, Debug)]
pub struct Test {
    pub name: String,
    /// The line of the unit that the test is about. Tests are sorted by it.
    pub line: u32,
    /// Words for distinctive inputs, for the name.
    pub traits: Vec<String>,
    /// Lines of the comment.
    pub about: Vec<String>,
    pub setup: Vec<String>,
    pub calls: Vec<Call>,
    /// Name of the sequence of calls, if there are several.
    pub title: Option<String>,
    pub expectations: Vec<Expectation>,
    /// Statements after the call of a test that ends with an error.
    pub after: Vec<String>,
    pub ends: Ends,
    pub shown_by: ShownBy,
}

/// Sanitizers that show the error of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownBy {
    /// The sanitizers for addresses and undefined behaviour, of gcc and of clang.
    Both,
    /// The same sanitizers, only of clang.
    Clang,
    /// The sanitizer for uninitialised memory, which only clang has.
    Memory,
}

impl Test {
    /// A test of which only the text is known.
    pub(crate) fn of_person(name: &str, ends: Ends) -> Test {
        Test {
            name: name.to_owned(),
            line: 0,
            traits: Vec::new(),
            about: Vec::new(),
            setup: Vec::new(),
            calls: Vec::new(),
            title: None,
            expectations: Vec::new(),
            after: Vec::new(),
            ends,
            shown_by: ShownBy::Both,
        }
    }
}

/// The tests of a session.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Name of the function.
    pub function: String,
    pub(crate) head: Head,
    pub tests: Vec<Test>,
    /// Tests that show errors of the unit.
    pub errors: Vec<Test>,
    pub left_out: Vec<LeftOut>,
    /// The unit has variables that keep their value between calls, so a test may affect the next one.
    pub has_state: bool,
}

/// A case that may become a test.
struct Draft<'a> {
    case: &'a Case,
    errors: Vec<&'a Found>,
    candidate: Candidate,
    memory: Memory,
}

impl Suite {
    /// Reads a session, runs its cases and makes tests of them.
    pub fn of(session: &Session, folder: &Path) -> Result<Suite, Error> {
        let opened = Opened::of(session, folder)?;
        opened.maker()?.suite(session)
    }
}

/// A session of a function, with its types.
struct Opened {
    stored: Stored,
    program: Program,
}

impl Opened {
    fn of(session: &Session, folder: &Path) -> Result<Opened, Error> {
        let stored = Stored::read(session)?;
        stored.check_sources()?;
        if matches!(stored.target.kind, TargetKind::Program { .. }) {
            return Err(Error::Unsupported("a session of `tine run`"));
        }
        if stored.target.replayed(&stored.config) != Path::new(UNIT_NATIVE) {
            return Err(Error::Unsupported(
                "a session with --volatile or --sym-fail, whose inputs only tine can make,",
            ));
        }
        let native = stored.open_program(folder, Path::new(UNIT_NATIVE))?;
        let mut program = dwarf::read(native.bytes()).map_err(|why| Error::Types(why.to_string()))?;
        program.types.finish();
        Ok(Opened { stored, program })
    }

    fn maker(&self) -> Result<Maker<'_>, Error> {
        match &self.stored.target.kind {
            TargetKind::Function(harness) => Maker::new(&self.program, harness, &self.stored, None),
            TargetKind::Sequence(harness) if !sequence::made_types(&self.program).is_empty() => {
                Maker::new(&self.program, harness, &self.stored, None)
            }
            TargetKind::Sequence(harness) => {
                let names = ShortNames::new(&self.stored.target.name);
                Maker::new(&self.program, harness, &self.stored, Some(names))
            }
            TargetKind::Program { .. } => Err(Error::Unsupported("a session without a function")),
        }
    }
}

/// Builds of the same drafts.
struct Observers {
    plain: Observer,
    /// With another stack layout, if some test has several objects.
    unoptimised: Option<Observer>,
    /// With gcc's sanitizers.
    gcc: Option<Observer>,
    /// With the sanitizer for uninitialised memory.
    memory: Option<Observer>,
}

/// Data that all tests of a session share.
struct Maker<'a> {
    program: &'a Program,
    stored: &'a Stored,
    config: &'a Config,
    /// The function under test. Of sequences, the one that makes the object.
    function: &'a Function,
    sequence: Option<(Object, ShortNames)>,
    /// Types of the objects that calls make before the call of the function.
    made: Vec<TypeId>,
    roots: Vec<TypeId>,
    root_names: &'a [String],
    /// Names of callables in the harness and in the tests.
    callables: Vec<(String, String)>,
    callable_names: Vec<String>,
    /// Roots with results of stubs, and the names of the stubs in the tests.
    stubs: Vec<(String, String)>,
    globals: BTreeSet<String>,
    taken: BTreeSet<String>,
    macros: Macros,
    bits: Bits,
    /// Lengths of arrays, stated and implied.
    lengths: Vec<String>,
    head: Head,
}

impl<'a> Maker<'a> {
    /// `sequence` has the names of the functions that sequences call.
    fn new(
        program: &'a Program,
        harness: &'a Harness,
        stored: &'a Stored,
        sequence: Option<ShortNames>,
    ) -> Result<Maker<'a>, Error> {
        let (config, target) = (&stored.config, &stored.target);
        let unreadable = |name: &str| Error::Types(format!("`{name}` is missing"));
        let called = sequence.as_ref().map_or(target.name.as_str(), ShortNames::first);
        let called = if called == "main" { tine_trace::map::MAIN_OF_UNIT } else { called };
        let function = program.function(called).ok_or_else(|| unreadable(called))?;
        let root = |name: &String| program.variable(name).map(|variable| variable.ty).ok_or_else(|| unreadable(name));
        let roots = harness.roots.iter().map(root).collect::<Result<Vec<_>, _>>()?;
        let in_test = |name: &String| name.replace("tine_stub_", "callback_");
        let callables: Vec<(String, String)> = harness
            .callables
            .iter()
            .filter(|name| !name.starts_with("tine_file_"))
            .map(|name| (name.clone(), in_test(name)))
            .collect();
        let undefined =
            |how: How| target.environment.iter().filter(move |one| one.how == how).map(|one| one.function.clone());
        let mut definitions = String::new();
        for name in undefined(How::Zeros) {
            let _ = writeln!(definitions, "__typeof__({name}) {name};");
        }
        let mut stubs = Vec::new();
        let own = callables.iter().filter(|(name, _)| name.starts_with("tine_stub_")).map(|(name, _)| name.clone());
        for name in own.chain(undefined(How::Stub)) {
            let Some(stub) = program.function(&name) else { continue };
            let test_name = in_test(&name);
            definitions.push_str(&unit::stub_text(program, stub, &test_name)?);
            stubs.push((format!("{name}()"), test_name));
        }
        let mut files = target.sources.iter().cloned();
        let main_file = files.next().ok_or(Error::Unsupported("a session without source files"))?;
        let is_library = |flag: &&String| flag.starts_with("-l") || flag.starts_with("-L") || flag.starts_with("-Wl,");
        // Programs of Test-Comp declare the function that reports an error.
        let reach_error = program.declared().iter().any(|function| function.name == REACH_ERROR);
        let reach_error = reach_error.then(|| REACH_ERROR.to_owned());
        let mut head = Head {
            main_file,
            other_files: files.collect(),
            flags: target.flags.iter().filter(|flag| !is_library(flag)).cloned().collect(),
            libraries: target.flags.iter().filter(is_library).cloned().collect(),
            directory: target.built_in.clone(),
            definitions,
            missing: undefined(How::Missing).chain(reach_error).collect(),
            uses_tine: stored.source_files().any(frame::uses_tine),
            ..Head::default()
        };
        let macros = Macros::of(&head);
        let mut taken = unit::taken(program);
        taken.extend(macros.objects.iter().cloned());
        head.hidden = macros.over_members(program);
        head.clashes_with(&taken, &program.types);
        head.definitions.insert_str(0, &opaque::definitions(program, &roots, &head));
        let read = |file: &PathBuf| String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default()).into_owned();
        let text: String = target.sources.iter().map(read).collect();
        let bits = Bits::of(&text, &unit::constants(program, &macros, &head));
        let made = Error::Unsupported("a sequence without an object");
        let sequence = match sequence {
            Some(names) => Some((Object::of(program, function, &taken).ok_or(made)?, names)),
            None => None,
        };
        Ok(Maker {
            program,
            stored,
            config,
            function,
            sequence,
            made: sequence::made_types(program),
            roots,
            root_names: &harness.roots,
            callables,
            callable_names: harness.callables.clone(),
            stubs,
            globals: harness.roots.iter().filter(|name| !name.starts_with("tine_in_")).cloned().collect(),
            taken,
            macros,
            bits,
            lengths: config
                .len
                .iter()
                .filter(|text| !text.ends_with("=any"))
                .chain(&harness.implied_lengths)
                .cloned()
                .collect(),
            head,
        })
    }

    /// Makes the tests. Styles are tried in turn until the case ends as it did before.
    fn suite(&self, session: &Session) -> Result<Suite, Error> {
        let (original, found) = (session.cases()?, session.errors()?);
        let mut cases = original.clone();
        tine_engine::minimise::cases(session.dir(), self.stored, &mut cases);
        let mut left_out = Vec::new();
        let mut pending: Vec<&Case> = Vec::new();
        for case in &cases {
            if case.kept == "unreproduced" {
                left_out.push(LeftOut {
                    case: case.id,
                    reason: Reason::Unreproduced("its error did not appear again".to_owned()),
                });
            } else {
                pending.push(case);
            }
        }
        let mut finished: Vec<(u32, Test)> = Vec::new();
        let mut reasons: BTreeMap<u32, Reason> = BTreeMap::new();
        // A smaller input may behave differently outside of tine.
        for inputs in [&cases, &original] {
            pending = inputs.iter().filter(|case| pending.iter().any(|left| left.id == case.id)).collect();
            for style in STYLES {
                if pending.is_empty() {
                    break;
                }
                let tests = self.tests(&pending, &found, style, &mut reasons)?;
                pending.retain(|case| !tests.iter().any(|(id, _)| *id == case.id));
                finished.extend(tests);
            }
        }
        left_out.extend(
            pending.iter().map(|case| LeftOut {
                case: case.id,
                reason: reasons.get(&case.id).cloned().unwrap_or(Reason::Stopped),
            }),
        );
        left_out.sort_by_key(|left| left.case);
        let summary = session.summary()?;
        let mut found = found;
        for (case, test, errors) in by_calls(session, summary.as_ref()) {
            finished.retain(|(id, _)| *id != case);
            finished.push((case, test));
            found.retain(|error| error.case != case);
            found.extend(errors.into_iter().map(|error| Found { case, ..error }));
        }
        let (mut tests, mut errors): (Vec<_>, Vec<_>) =
            finished.into_iter().partition(|(_, test)| matches!(test.ends, Ends::Returns | Ends::Exits(_)));
        let named = names::Naming::new(session, &self.taken, &self.program.types, self.function)?;
        named.name_tests(&mut tests);
        named.name_errors(&mut errors, &found, summary.as_ref());
        Ok(Suite {
            function: self.function_name(),
            head: self.head.clone(),
            tests: tests.into_iter().map(|(_, test)| test).collect(),
            errors: errors.into_iter().map(|(_, test)| test).collect(),
            left_out,
            has_state: self.variables().next().is_some() || self.has_static_locals(),
        })
    }

    /// True if a function may have static local variables: an indented line begins with `static`.
    fn has_static_locals(&self) -> bool {
        let text = std::fs::read(&self.head.main_file).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        text.lines().any(|line| line.starts_with([' ', '\t']) && line.trim_start().starts_with("static "))
    }

    /// Tests of the cases that this style reproduces.
    fn tests(
        &self,
        cases: &[&Case],
        found: &[Found],
        style: Style,
        reasons: &mut BTreeMap<u32, Reason>,
    ) -> Result<Vec<(u32, Test)>, Error> {
        let mut drafts = Vec::new();
        for case in cases {
            let errors: Vec<&Found> = found.iter().filter(|error| error.case == case.id).collect();
            match self.draft(case, errors, style) {
                Ok(draft) => drafts.push(draft),
                Err(reason) => drop(reasons.insert(case.id, reason)),
            }
        }
        let Some((sanitized, plain)) = self.observers(&mut drafts, reasons) else { return Ok(Vec::new()) };
        let has_errors = drafts.iter().any(|draft| !draft.errors.is_empty() || draft.case.outcome != "exited");
        let candidates: Vec<(usize, &Candidate)> = drafts.iter().map(|draft| &draft.candidate).enumerate().collect();
        let build = |compilers| has_errors.then(|| Observer::build(&self.head, &candidates, compilers).ok()).flatten();
        let has_order = drafts.iter().any(|draft| draft.candidate.objects.len() > 1);
        let unoptimised = has_order.then(|| Observer::build(&self.head, &candidates, &UNOPTIMISED).ok()).flatten();
        let observers = Observers { plain, unoptimised, gcc: build(&WITH_SANITIZERS[1..]), memory: build(&FOR_MEMORY) };
        let mut tests = Vec::new();
        for (number, draft) in drafts.iter().enumerate() {
            let first = sanitized.run(number).map_err(Error::Observing)?;
            match self.test(draft, &first, number, &observers)? {
                Ok(test) => tests.push((draft.case.id, test)),
                Err(reason) => drop(reasons.insert(draft.case.id, reason)),
            }
        }
        Ok(tests)
    }

    /// Builds the drafts with and without sanitizers. Drafts that do not compile are dropped.
    fn observers(
        &self,
        drafts: &mut Vec<Draft<'_>>,
        reasons: &mut BTreeMap<u32, Reason>,
    ) -> Option<(Observer, Observer)> {
        for _ in 0..8 {
            if drafts.is_empty() {
                return None;
            }
            let candidates: Vec<(usize, &Candidate)> =
                drafts.iter().map(|draft| &draft.candidate).enumerate().collect();
            let built = Observer::build(&self.head, &candidates, &WITH_SANITIZERS)
                .and_then(|sanitized| Ok((sanitized, Observer::build(&self.head, &candidates, &PLAIN)?)));
            let messages = match built {
                Ok(observers) => return Some(observers),
                Err(observe::Unbuilt(messages)) => messages,
            };
            let blamed = observe::blamed(&self.head, &candidates, &messages);
            let first = messages.lines().find(|line| line.contains("error") || line.contains("undefined reference"));
            let first = first.or(messages.lines().next()).unwrap_or_default().trim();
            // Paths of the temporary directory would differ between exports.
            let first = first.split_once("tests.c:").map_or(first, |(_, what)| what);
            let first = first.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':' || c == ' ').to_owned();
            let mut number = 0;
            drafts.retain(|draft| {
                let about = blamed.iter().find(|(test, _)| *test == number).map(|(_, what)| what.clone());
                number += 1;
                let about = if blamed.is_empty() { Some(first.clone()) } else { about };
                if let Some(about) = &about {
                    reasons.insert(draft.case.id, Reason::Uncompiled(about.clone()));
                }
                about.is_none()
            });
        }
        None
    }

    fn draft<'c>(&self, case: &'c Case, errors: Vec<&'c Found>, style: Style) -> Result<Draft<'c>, Reason> {
        let graph = &self.program.types;
        let mut taken = self.taken.clone();
        let sequence = match &self.sequence {
            Some((object, names)) => {
                taken.insert(object.name.clone());
                Some((object, Sequence::of(self.program, object, case, names, &mut taken)?))
            }
            None => None,
        };
        let made = if self.made.is_empty() {
            None
        } else {
            Some(Made::of(self.program, &self.made, case, &self.globals, &mut taken)?)
        };
        let names = Names {
            graph,
            roots: &self.roots,
            callables: &self.callable_names,
            lengths: &self.lengths,
            taken: &taken,
            only_inputs: sequence.is_some() || made.is_some(),
        };
        let memory = Memory::of(&names, case, style)?;
        let calls = match (&sequence, &made) {
            (Some((_, sequence)), _) => sequence.calls.clone(),
            (None, Some(made)) => made.sequence.calls.clone(),
            (None, None) => vec![self.call(&memory)?],
        };
        let written =
            Writer::new(graph, &memory, &self.callables, &self.bits).write(&calls, &self.globals, &self.stubs)?;
        let Written { mut setup, mut calls, arguments } = written;
        for call in &mut calls {
            let name = call.text.split('(').next().unwrap_or_default();
            if self.macros.functions.contains(name) {
                call.text = format!("({name}){}", &call.text[name.len()..]);
            }
        }
        setup.extend(made.iter().flat_map(|made| made.declarations.clone()));
        let mut leaves = Leaves::new(graph);
        let mut with_result = arguments.join(", ");
        match &sequence {
            Some((object, sequence)) => {
                setup.extend(object.declaration(graph)?);
                sequence.results.iter().for_each(|(name, ty)| leaves.result(*ty, name));
                if !object.is_owned {
                    leaves.result(object.ty, &object.name);
                }
            }
            None if graph.strip(self.function.ret) != TypeId::VOID => {
                leaves.result(self.function.ret, "result");
                with_result += if with_result.is_empty() { "result" } else { ", result" };
            }
            None => {}
        }
        let mut objects = Vec::new();
        for id in &memory.order {
            let object = &memory.objects[id];
            objects.push(extent(graph, object));
            object_leaves(&mut leaves, object);
        }
        if let Some((object, _)) = sequence.as_ref().filter(|(object, _)| object.is_owned) {
            leaves.add(object.ty, &Place::Value(object.name.clone()), None, 0);
            objects.push((format!("&{}", object.name), format!("sizeof {}", object.name)));
        }
        for variable in self.variables() {
            leaves.add(variable.ty, &Place::Value(variable.name.clone()), None, 0);
        }
        let mut after = Vec::new();
        for predicate in &self.config.ensures {
            let checked = match &sequence {
                Some((object, _)) => {
                    let taken = self.program.function(predicate).and_then(|function| function.params.first());
                    taken.and_then(|parameter| object.argument(graph, parameter.ty)).ok_or(Reason::Stopped)?
                }
                None => with_result.clone(),
            };
            after.push(format!("if (!{predicate}({checked})) abort();"));
        }
        let candidate = Candidate { setup, calls, after, leaves: leaves.list, objects };
        Ok(Draft { case, errors, candidate, memory })
    }

    /// The only call of the tests of a function.
    fn call(&self, memory: &Memory) -> Result<Planned<'_>, Reason> {
        let name = if self.function.name == tine_trace::map::MAIN_OF_UNIT { frame::MAIN } else { &self.function.name };
        let root = |(index, parameter): (usize, &tine_types::Parameter)| {
            let at = memory.roots.iter().position(|root| root.number == index + 1).ok_or(Reason::Stopped)?;
            Ok(Argument::Root(at, parameter.ty))
        };
        let arguments = self.function.params.iter().enumerate().map(root).collect::<Result<_, _>>()?;
        let has_result = self.program.types.strip(self.function.ret) != TypeId::VOID;
        let result = has_result.then(|| "result".to_owned());
        Ok(Planned { function: self.function, name, arguments, result })
    }

    fn traits(&self, draft: &Draft<'_>) -> Vec<String> {
        names::traits(&self.program.types, &draft.memory, self.function.params.len())
    }

    /// Variables of the unit that a function may change.
    fn variables(&self) -> impl Iterator<Item = &tine_types::program::Variable> {
        let graph = &self.program.types;
        let file = self.head.main_file.to_string_lossy().into_owned();
        self.program.variables().iter().filter(move |variable| {
            let is_own = file.ends_with(&*variable.file) || variable.file.ends_with(&file);
            let is_const = graph.is_qualified(variable.ty, Qualifier::Const)
                || matches!(graph.kind(graph.strip(variable.ty)), Kind::Array { element, .. } if graph.is_qualified(*element, Qualifier::Const));
            is_own && !is_const && !variable.name.starts_with("tine_")
        })
    }

    /// The test of a draft that ended as its case did, or the reason why there is none.
    fn test(
        &self,
        draft: &Draft<'_>,
        first: &Observed,
        number: usize,
        observers: &Observers,
    ) -> Result<Result<Test, Reason>, Error> {
        let Candidate { setup, calls, after, leaves, .. } = &draft.candidate;
        let title = self.sequence.as_ref().map(|(_, names)| names.sequence(calls));
        let test = |expectations: Vec<Expectation>, after: Vec<String>, ends: Ends| Test {
            name: String::new(),
            line: 0,
            traits: if self.sequence.is_some() || !self.made.is_empty() { Vec::new() } else { self.traits(draft) },
            about: Vec::new(),
            setup: setup.clone(),
            calls: calls.clone(),
            title: title.clone(),
            expectations,
            after,
            ends,
            shown_by: ShownBy::Both,
        };
        let shown = || {
            let line = first.message.lines().find(|line| line.contains("rror"));
            line.map_or_else(|| format!("it ended with {:?}", first.ending), |line| sanitizer_message(line).to_owned())
        };
        if !draft.errors.is_empty() || draft.case.outcome != "exited" {
            let kind = draft.errors.first().map_or("error", |error| &error.kind);
            let ending = |observer: &Option<Observer>| match observer {
                Some(observer) => observer.run(number).map(|seen| Some(seen.ending)).map_err(Error::Observing),
                None => Ok(None),
            };
            let failing = |shown_by, ends| Test { shown_by, ..test(Vec::new(), after.clone(), ends) };
            let fails =
                |ending| matches!(ending, Ending::Signal(_)) || matches!(ending, Ending::Exited(code) if code != 0);
            if first.ending == Ending::TooLong || fails(first.ending) {
                let by_gcc = ending(&observers.gcc)?.is_some_and(|ending| ending != Ending::Returned);
                let ends = if first.ending == Ending::TooLong { Ends::Hangs } else { Ends::Fails };
                return Ok(Ok(failing(if by_gcc { ShownBy::Both } else { ShownBy::Clang }, ends)));
            }
            let by_memory = ending(&observers.memory)?.is_some_and(fails);
            return Ok(if by_memory {
                Ok(failing(ShownBy::Memory, Ends::Fails))
            } else {
                Err(Reason::Unreproduced(format!("the sanitizers do not show the {kind}")))
            });
        }
        let second = match first.ending {
            Ending::Returned | Ending::Exited(_) => observers.plain.run(number).map_err(Error::Observing)?,
            _ => return Ok(Err(Reason::Unreproduced(shown()))),
        };
        if second.ending != first.ending {
            return Ok(Err(Reason::Unreproduced(format!("another compiler's build ends with {:?}", second.ending))));
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64);
        let objects = draft.memory.order.iter().map(|id| &draft.memory.objects[id]).collect();
        let expecting = Expecting { graph: &self.program.types, bits: &self.bits, leaves, objects, now };
        let mut expectations = expecting.all(first, &second);
        if let Some(observer) = observers.unoptimised.as_ref().filter(|_| draft.candidate.objects.len() > 1) {
            let third = observer.run(number).map_err(Error::Observing)?;
            if third.ending != first.ending {
                let what = "its end depends on the order of objects in memory";
                return Ok(Err(Reason::Unreproduced(what.to_owned())));
            }
            let also = expecting.all(first, &third);
            expectations.retain(|expectation| also.contains(expectation));
        }
        for statement in after {
            // `if (!holds(…)) abort();`
            let condition = statement.trim_start_matches("if (!").trim_end_matches(") abort();");
            expectations.push(Expectation::Holds(condition.to_owned()));
        }
        Ok(Ok(match first.ending {
            Ending::Exited(code) => test(Vec::new(), Vec::new(), Ends::Exits(code)),
            _ => test(expectations, Vec::new(), Ends::Returns),
        }))
    }
}

/// Tests of the errors that calls of the unit's own functions show: the case of the error, the test, and the error in
/// the session of the calls.
fn by_calls(session: &Session, summary: Option<&Summary>) -> Vec<(u32, Test, Vec<Found>)> {
    let shown = summary.iter().flat_map(|summary| &summary.errors);
    let shown: Vec<(u32, u32)> = shown.filter_map(|error| Some((error.case, error.by_calls.as_ref()?.case))).collect();
    let folder = session.dir().join(tine_report::terminal::CALLS);
    let attempt = || -> Result<Vec<(u32, Test, Vec<Found>)>, Error> {
        let calls = Session::open(&folder)?;
        let opened = Opened::of(&calls, &folder)?;
        let maker = opened.maker()?;
        let (cases, found) = (calls.cases()?, calls.errors()?);
        let wanted: Vec<&Case> = cases.iter().filter(|case| shown.iter().any(|(_, own)| *own == case.id)).collect();
        let tests = maker.tests(&wanted, &found, STYLES[0], &mut BTreeMap::new())?;
        let of_case = |(case, own): &(u32, u32)| {
            let (_, test) = tests.iter().find(|(id, _)| id == own)?;
            Some((*case, test.clone(), found.iter().filter(|error| error.case == *own).cloned().collect()))
        };
        Ok(shown.iter().filter_map(of_case).collect())
    };
    // Otherwise the tests of the invented objects stay.
    if shown.is_empty() { Vec::new() } else { attempt().unwrap_or_default() }
}

/// True if the text has `name` as a word.
pub(crate) fn mentions(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, word)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

/// A message of a sanitizer without process number and path.
fn sanitizer_message(line: &str) -> &str {
    let line = line.split_once("ERROR: ").map_or(line, |(_, rest)| rest);
    let line = line.split_once("runtime error: ").map_or(line, |(_, rest)| rest);
    line.split(" on address").next().unwrap_or(line).trim()
}

/// Address and size of an object, in C.
fn extent(graph: &tine_types::TypeGraph, object: &Declared) -> (String, String) {
    let name = &object.name;
    let heap = object.form == Form::Heap || memory::is_flexible(graph, object.element);
    match (heap, object.form) {
        (true, _) => (name.clone(), format!("{} * sizeof *{name}", object.count)),
        (_, Form::Single) => (format!("&{name}"), format!("sizeof {name}")),
        _ => (name.clone(), format!("sizeof {name}")),
    }
}

fn object_leaves(leaves: &mut Leaves<'_>, object: &Declared) {
    let graph = leaves.graph;
    let name = &object.name;
    let flexible = memory::is_flexible(graph, object.element);
    let is_bytes =
        matches!(object.values.as_slice(), [tine_types::map::Value::Text(_) | tine_types::map::Value::Bytes(_)]);
    if is_bytes {
        leaves.characters(object.element, name, object.count);
        return;
    }
    let heap = object.form == Form::Heap || flexible;
    match (object.form, heap) {
        (Form::Single, false) => leaves.add(object.element, &Place::Value(name.clone()), None, 0),
        (_, true) if object.count == 1 => leaves.add(object.element, &Place::Pointee(name.clone()), None, 0),
        _ => (0..object.count).for_each(|index| {
            leaves.add(object.element, &Place::Value(format!("{name}[{index}]")), None, 0);
        }),
    }
}
