//! Sequences of calls on one object, as `tine sequence` makes them.
//!
//! ```text
//!   requests of a case: call add │ x = 3 │ call find │ x = 3 │ call remove │ item = result of find
//!                           └── add(&set, 3);    └── find(&set, 3)    └── remove(&set, find_result);
//! ```
//! The harness's variable `tine_object` says what the object is. Arguments of its type are the object.
//!
//! The harness that makes the objects of one function by calls has a variable `tine_object_N` for each. Its calls are
//! recorded in the same way, and the last one is that of the function ([`Sequence::made`]).

use std::collections::BTreeSet;

use tine_session::session::Case;
use tine_trace::plan::InputKind;
use tine_types::{Function, Kind, Program, TypeGraph, TypeId};

use super::memory::unused;
use super::write::{Argument, Planned};
use super::{Call, Reason, write};

/// The harness's variable.
const OBJECT: &str = "tine_object";

/// The object of a session's sequences.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) ty: TypeId,
    /// Name of the function that makes it.
    constructor: String,
    /// The constructor gets its address. Otherwise the constructor returns it.
    pub(super) is_owned: bool,
    pub(super) name: String,
}

/// The calls of one case.
#[derive(Clone, Debug)]
pub(super) struct Sequence<'a> {
    pub(super) calls: Vec<Planned<'a>>,
    /// Names of the variables with results, and their types.
    pub(super) results: Vec<(String, TypeId)>,
}

/// A recorded part of a sequence.
enum Part<'c> {
    Call(&'c str),
    /// The parameter `name` gets the result of an earlier call.
    Passed {
        name: &'c str,
        of: &'c str,
    },
    Input,
}

impl Object {
    /// The object of the harness; `None` for other kinds of harnesses.
    pub(super) fn of(program: &Program, constructor: &Function, taken: &BTreeSet<String>) -> Option<Object> {
        let graph = &program.types;
        let ty = program.variable(OBJECT)?.ty;
        let is_owned = !is_same(graph, ty, constructor.ret);
        let parameter = constructor.params.first().filter(|_| is_owned).and_then(|first| first.name.clone());
        let pointee = match graph.kind(graph.strip(ty)) {
            Kind::Pointer { to } => *to,
            _ => ty,
        };
        let described = graph.describe(pointee);
        let tag = described.rsplit(' ').next().unwrap_or_default().to_ascii_lowercase();
        let is_word = !tag.is_empty() && tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let wanted = parameter.unwrap_or_else(|| if is_word { tag } else { "object".to_owned() });
        let name = unused(&wanted, &mut taken.clone());
        Some(Object { ty, constructor: constructor.name.clone(), is_owned, name })
    }

    /// The declaration of an object that the constructor fills in.
    pub(super) fn declaration(&self, graph: &TypeGraph) -> Result<Option<String>, Reason> {
        if !self.is_owned {
            return Ok(None);
        }
        let is_scalar =
            !matches!(graph.kind(graph.strip(self.ty)), Kind::Struct { .. } | Kind::Union { .. } | Kind::Array { .. });
        let zero = if is_scalar { "0" } else { "{ 0 }" };
        Ok(Some(format!("{} = {zero};", write::declaration(graph, self.ty, &self.name)?)))
    }

    /// The object as an argument for a parameter of this type, if it can be one.
    pub(super) fn argument(&self, graph: &TypeGraph, ty: TypeId) -> Option<String> {
        let own = graph.kind(graph.strip(self.ty));
        let is_plain =
            !matches!(own, Kind::Pointer { .. } | Kind::Struct { .. } | Kind::Union { .. } | Kind::Array { .. });
        if is_same(graph, ty, self.ty) && !is_plain {
            return Some(self.name.clone());
        }
        let Kind::Pointer { to } = graph.kind(graph.strip(ty)) else { return None };
        match own {
            Kind::Array { element, .. } if is_same(graph, *to, *element) => Some(self.name.clone()),
            _ => is_same(graph, *to, self.ty).then(|| format!("&{}", self.name)),
        }
    }
}

impl<'a> Sequence<'a> {
    /// Reads the calls of a case.
    pub(super) fn of(
        program: &'a Program,
        object: &Object,
        case: &Case,
        names: &ShortNames,
        taken: &mut BTreeSet<String>,
    ) -> Result<Sequence<'a>, Reason> {
        let graph = &program.types;
        let mut parts = parts(case).into_iter().peekable();
        let mut sequence = Sequence { calls: Vec::new(), results: Vec::new() };
        // Latest variable with a result of each function.
        let mut latest: Vec<(&str, String)> = Vec::new();
        let mut n_inputs = 0;
        while let Some(part) = parts.next() {
            let Part::Call(name) = part else { return Err(Reason::Stopped) };
            let function = program.function(name).ok_or(Reason::Stopped)?;
            let constructs = name == object.constructor && sequence.calls.is_empty();
            let mut arguments = Vec::new();
            for parameter in &function.params {
                let usual = object.argument(graph, parameter.ty).filter(|_| !constructs || object.is_owned);
                if let Some(Part::Passed { of, .. }) = parts.next_if(|part| {
                    matches!(part, Part::Passed { name, .. } if parameter.name.as_deref().is_none_or(|own| own == *name))
                }) {
                    let variable = latest.iter().rev().find(|(function, _)| *function == of);
                    let (_, variable) = variable.ok_or(Reason::Stopped)?;
                    arguments.push(Argument::Text(variable.clone()));
                } else if let Some(usual) = usual {
                    arguments.push(Argument::Text(usual));
                } else if parts.next_if(|part| matches!(part, Part::Input)).is_some() {
                    arguments.push(Argument::Root(n_inputs, parameter.ty));
                    n_inputs += 1;
                } else {
                    return Err(Reason::Stopped);
                }
            }
            let result = if constructs && !object.is_owned {
                Some(object.name.clone())
            } else if graph.strip(function.ret) == TypeId::VOID {
                None
            } else {
                let variable = unused(&format!("{}_result", names.of(name)), taken);
                latest.push((&function.name, variable.clone()));
                sequence.results.push((variable.clone(), function.ret));
                Some(variable)
            };
            sequence.calls.push(Planned { function, name: &function.name, arguments, result });
        }
        if sequence.calls.is_empty() { Err(Reason::Stopped) } else { Ok(sequence) }
    }
}

/// Structures that a harness makes by calls; empty for other harnesses.
pub(super) fn made_types(program: &Program) -> Vec<TypeId> {
    let graph = &program.types;
    let objects = (1..).map_while(|number| program.variable(&format!("{OBJECT}_{number}")));
    let pointee = |ty| match graph.kind(graph.strip(ty)) {
        Kind::Pointer { to } => *to,
        _ => ty,
    };
    objects.map(|object| pointee(object.ty)).collect()
}

/// The calls that make objects and call a function with them, and the declarations of objects that are initialised.
pub(super) struct Made<'a> {
    pub(super) sequence: Sequence<'a>,
    pub(super) declarations: Vec<String>,
}

impl<'a> Made<'a> {
    /// Reads the calls of a case. `types` are those that are made. `globals` are not arguments.
    pub(super) fn of(
        program: &'a Program,
        types: &[TypeId],
        case: &Case,
        globals: &BTreeSet<String>,
        taken: &mut BTreeSet<String>,
    ) -> Result<Made<'a>, Reason> {
        let graph = &program.types;
        let is_twice = |ty: &TypeId| types.iter().filter(|other| is_same(graph, **other, *ty)).count() > 1;
        if types.iter().any(is_twice) {
            return Err(Reason::SameType);
        }
        let mut made = Made { sequence: Sequence { calls: Vec::new(), results: Vec::new() }, declarations: Vec::new() };
        // Objects so far: their types, and the arguments that pass them.
        let mut objects: Vec<(TypeId, String)> = Vec::new();
        let requests = case.input.input.requests.iter();
        let mut requests = requests.filter(|one| one.kind == InputKind::Call || one.ty != 0).peekable();
        let mut n_inputs = 0;
        while let Some(request) = requests.next() {
            if request.kind != InputKind::Call {
                // A global variable, which is requested after the last call began.
                n_inputs += 1;
                continue;
            }
            let function = program.function(&request.name).ok_or(Reason::Stopped)?;
            let is_last = !requests.clone().any(|later| later.kind == InputKind::Call);
            let object = |ty| {
                let Kind::Pointer { to } = graph.kind(graph.strip(ty)) else { return None };
                types.iter().find(|made| is_same(graph, **made, *to)).copied()
            };
            let mut arguments = Vec::new();
            for (index, parameter) in function.params.iter().enumerate() {
                let known = object(parameter.ty).and_then(|ty| objects.iter().find(|(other, _)| *other == ty));
                if let Some((_, text)) = known {
                    arguments.push(Argument::Text(text.clone()));
                } else if let Some(ty) = object(parameter.ty).filter(|_| index == 0 && !is_last) {
                    let name = unused(parameter.name.as_deref().unwrap_or("object"), taken);
                    let plain = write::unqualified(graph, ty);
                    made.declarations.push(format!("{} = {{ 0 }};", write::declaration(graph, plain, &name)?));
                    objects.push((ty, format!("&{name}")));
                    arguments.push(Argument::Text(format!("&{name}")));
                } else if requests.next_if(|one| one.kind != InputKind::Call && !globals.contains(&one.name)).is_some()
                {
                    arguments.push(Argument::Root(n_inputs, parameter.ty));
                    n_inputs += 1;
                } else {
                    return Err(Reason::Stopped);
                }
            }
            let makes = object(function.ret).filter(|ty| !is_last && objects.iter().all(|(other, _)| other != ty));
            let has_result = graph.strip(function.ret) != TypeId::VOID;
            let result = match makes {
                Some(ty) => {
                    let described = graph.describe(write::unqualified(graph, ty));
                    let name = unused(described.rsplit(' ').next().unwrap_or("object"), taken);
                    objects.push((ty, name.clone()));
                    Some(name)
                }
                None if is_last && has_result => {
                    made.sequence.results.push(("result".to_owned(), function.ret));
                    Some("result".to_owned())
                }
                None => None,
            };
            made.sequence.calls.push(Planned { function, name: &function.name, arguments, result });
        }
        if made.sequence.calls.is_empty() { Err(Reason::Stopped) } else { Ok(made) }
    }
}

fn parts(case: &Case) -> Vec<Part<'_>> {
    let requests = case.input.input.requests.iter();
    requests
        .filter_map(|request| match request.kind {
            InputKind::Call => Some(Part::Call(&request.name)),
            InputKind::Passed => {
                let (name, of) = request.name.split_once(" = result of ")?;
                Some(Part::Passed { name, of })
            }
            _ => (request.ty != 0).then_some(Part::Input),
        })
        .collect()
}

/// Names of functions without the prefix that all of them have.
#[derive(Clone, Debug, Default)]
pub(super) struct ShortNames {
    first: String,
    /// `set_`
    prefix: String,
}

impl ShortNames {
    /// The names in `--calls`.
    pub(super) fn new(calls: &str) -> ShortNames {
        let names: Vec<&str> = calls.split(',').map(|name| name.trim().trim_end_matches(['*', '?'])).collect();
        let Some((first, rest)) = names.split_first() else { return ShortNames::default() };
        let common = |end: usize| rest.iter().all(|name| name.len() > end && name.starts_with(&first[..end]));
        let ends = first.match_indices('_').map(|(at, _)| at + 1).filter(|end| *end < first.len());
        let end = if rest.is_empty() { 0 } else { ends.filter(|end| common(*end)).max().unwrap_or(0) };
        ShortNames { first: (*first).to_owned(), prefix: first[..end].to_owned() }
    }

    /// The function that makes the object.
    pub(super) fn first(&self) -> &str {
        &self.first
    }

    pub(super) fn of<'n>(&self, name: &'n str) -> &'n str {
        name.strip_prefix(&self.prefix).unwrap_or(name)
    }

    /// A name for the tests: the prefix, or the first function.
    pub(super) fn title(&self) -> &str {
        let prefix = self.prefix.trim_end_matches('_');
        if prefix.is_empty() { &self.first } else { prefix }
    }

    /// `init_add_2_del`: the calls, with the number of repetitions.
    pub(super) fn sequence(&self, calls: &[Call]) -> String {
        let names = calls
            .iter()
            .map(|call| self.of(call.text.split(['(', ')']).find(|part| !part.is_empty()).unwrap_or_default()));
        let mut runs: Vec<(&str, usize)> = Vec::new();
        for name in names {
            match runs.last_mut() {
                Some((last, n)) if *last == name => *n += 1,
                _ => runs.push((name, 1)),
            }
        }
        let words = runs.iter().map(|(name, n)| if *n > 1 { format!("{name}_{n}") } else { (*name).to_owned() });
        words.collect::<Vec<_>>().join("_")
    }
}

/// True if two types are equal except for typedefs and qualifiers.
pub(super) fn is_same(graph: &TypeGraph, a: TypeId, b: TypeId) -> bool {
    let (a, b) = (graph.strip(a), graph.strip(b));
    if a == b {
        return true;
    }
    match (graph.kind(a), graph.kind(b)) {
        (Kind::Pointer { to: a }, Kind::Pointer { to: b }) => is_same(graph, *a, *b),
        _ => graph.get(a).name.is_some() && graph.get(a) == graph.get(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_their_common_prefix() {
        let names = ShortNames::new("set_init,set_add*,set_del?");
        assert_eq!(names.of("set_add"), "add");
        assert_eq!(names.title(), "set");
        assert_eq!(ShortNames::new("open,read*").title(), "open");
        assert_eq!(ShortNames::new("set_init").of("set_init"), "set_init");
        let call = |text: &str| Call { text: text.to_owned(), result: None };
        let calls = [call("set_init(&s)"), call("set_add(&s, 1)"), call("set_add(&s, 2)"), call("set_del(&s, 1)")];
        assert_eq!(names.sequence(&calls), "init_add_2_del");
    }
}
