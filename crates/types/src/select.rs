//! Part of a program: everything, or the items of one name with all types that they depend on.

use std::collections::{BTreeSet, VecDeque};

use crate::graph::{Kind, TypeGraph, TypeId, tag};
use crate::print::tag_keyword;
use crate::program::{Function, Program, Variable};

/// A part of a program's types, variables and functions.
#[derive(Clone, Debug)]
pub struct Selection<'p> {
    pub program: &'p Program,
    pub functions: Vec<&'p Function>,
    pub variables: Vec<&'p Variable>,
    /// Types, each together with its parts.
    pub types: Vec<TypeId>,
}

impl<'p> Selection<'p> {
    /// Everything.
    pub fn all(program: &'p Program) -> Selection<'p> {
        Selection {
            program,
            functions: program.functions().iter().collect(),
            variables: program.variables().iter().collect(),
            types: program.types.iter().map(|(id, _)| id).collect(),
        }
    }

    /// Removes items of `foreign` files, and types that only these need. The file of a type is not known, so a type
    /// without references stays.
    #[must_use]
    pub fn without(mut self, foreign: impl Fn(&str) -> bool) -> Selection<'p> {
        let starts = |selection: &Selection<'_>| starts(&selection.functions, &selection.variables);
        let before = starts(&self);
        self.functions.retain(|function| !foreign(&function.file));
        self.variables.retain(|variable| !foreign(&variable.file));
        let kept = reachable(&self.program.types, &starts(&self));
        let gone: BTreeSet<TypeId> = reachable(&self.program.types, &before).into_iter().collect();
        let rest: Vec<TypeId> = self.types.iter().copied().filter(|id| !gone.contains(id)).collect();
        let wanted: BTreeSet<TypeId> =
            reachable(&self.program.types, &rest).into_iter().chain(kept).chain([TypeId::VOID]).collect();
        self.types.retain(|id| wanted.contains(id));
        self
    }

    /// Functions, variables and types called `name` (`list`, or only the struct for `struct list`), followed by the
    /// types that they depend on, nearest first. `None` if nothing has that name.
    pub fn named(program: &'p Program, name: &str) -> Option<Selection<'p>> {
        let functions: Vec<_> = program.functions().iter().filter(|function| function.name == name).collect();
        let variables: Vec<_> = program.variables().iter().filter(|variable| variable.name == name).collect();
        let types = program.types.iter().map(|(id, _)| id).filter(|id| is_called(&program.types, *id, name));
        let called: Vec<TypeId> = types.chain(starts(&functions, &variables)).collect();
        if called.is_empty() {
            return None;
        }
        let types = reachable(&program.types, &called);
        Some(Selection { program, functions, variables, types })
    }
}

impl TypeGraph {
    /// The direct parts of a type.
    pub fn parts(&self, id: TypeId) -> Vec<TypeId> {
        match self.kind(id) {
            Kind::Pointer { to } | Kind::Typedef { to } | Kind::Qualified { to, .. } => vec![*to],
            Kind::Array { element, .. } => vec![*element],
            Kind::Enum { underlying, .. } => vec![*underlying],
            Kind::Struct { members } | Kind::Union { members } => members.iter().map(|member| member.ty).collect(),
            Kind::Function(signature) => [signature.ret].iter().chain(&signature.params).copied().collect(),
            Kind::Void
            | Kind::Bool
            | Kind::Char { .. }
            | Kind::Int { .. }
            | Kind::Float { .. }
            | Kind::Opaque { .. }
            | Kind::Unsupported(_) => Vec::new(),
        }
    }
}

fn is_called(types: &TypeGraph, id: TypeId, name: &str) -> bool {
    let ty = types.get(id);
    let with_tag = || tag(&ty.kind).zip(ty.name.as_ref()).map(|(tag, name)| format!("{} {name}", tag_keyword(tag)));
    ty.name.as_deref() == Some(name) || with_tag().as_deref() == Some(name)
}

/// The types that functions and variables mention.
fn starts(functions: &[&Function], variables: &[&Variable]) -> Vec<TypeId> {
    let of_function = |function: &&Function| {
        let params = function.params.iter().map(|param| param.ty);
        [function.ret].into_iter().chain(params).collect::<Vec<_>>()
    };
    functions.iter().flat_map(of_function).chain(variables.iter().map(|variable| variable.ty)).collect()
}

/// `starts` and all types that they depend on, breadth first.
fn reachable(types: &TypeGraph, starts: &[TypeId]) -> Vec<TypeId> {
    let mut open: VecDeque<TypeId> = starts.iter().copied().collect();
    let (mut seen, mut order) = (BTreeSet::new(), Vec::new());
    while let Some(id) = open.pop_front() {
        if seen.insert(id) {
            order.push(id);
            open.extend(types.parts(id));
        }
    }
    order
}
