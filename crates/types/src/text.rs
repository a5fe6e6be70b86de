//! Readable form of a program's functions, variables and types. Each type is written once, under its name, so that
//! recursive types end. Unnamed types are written where they are used.
//!
//! ```text
//!   struct list (16 bytes)
//!        0  int v
//!        8  struct list *next
//! ```

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::graph::{Kind, Member, Type, TypeGraph, TypeId, tag};
use crate::select::Selection;

impl Selection<'_> {
    /// Functions and variables with their source lines, then types, then the base types.
    pub fn text(&self) -> String {
        let types = &self.program.types;
        let mut blocks = Vec::new();
        let mut declared = String::new();
        for function in &self.functions {
            let linkage = if function.external { "" } else { "static " };
            let prototype = self.program.prototype(function);
            line(&mut declared, &format!("{linkage}{prototype}"), &function.file, function.line);
            for param in &function.params {
                Unnamed { types, out: &mut declared }.collect(param.ty, 1, Some(0));
            }
        }
        for variable in &self.variables {
            let linkage = if variable.external { "" } else { "static " };
            let declaration = types.declare(variable.ty, &variable.name);
            line(&mut declared, &format!("{linkage}{declaration}"), &variable.file, variable.line);
            Unnamed { types, out: &mut declared }.collect(variable.ty, 1, Some(0));
        }
        blocks.push(declared);
        blocks.extend(self.types.iter().filter_map(|id| defined(types, *id)));
        let mut numbers: Vec<String> = self.types.iter().filter_map(|id| base(types, *id)).collect();
        // Files that use the same header have the same types, so write each once.
        let mut seen = BTreeSet::new();
        blocks.retain(|block| seen.insert(block.clone()));
        numbers.retain(|line| seen.insert(line.clone()));
        blocks.push(numbers.concat());
        blocks.retain(|block| !block.is_empty());
        blocks.join("\n")
    }
}

fn line(out: &mut String, declaration: &str, file: &str, line: u32) {
    let _ = writeln!(out, "{declaration}    {file}:{line}");
}

/// The definition of a type, if it has a name and is not a plain number.
fn defined(types: &TypeGraph, id: TypeId) -> Option<String> {
    let ty = types.get(id);
    let name = ty.name.as_deref()?;
    let mut out = String::new();
    let size = size(ty);
    match &ty.kind {
        Kind::Typedef { to } => {
            let size = types.size(*to).map(|size| format!(" ({})", bytes(size))).unwrap_or_default();
            let _ = writeln!(out, "typedef {}{size}", types.declare(*to, name));
            Unnamed { types, out: &mut out }.collect(*to, 1, Some(0));
        }
        Kind::Opaque { .. } => {
            let _ = writeln!(out, "{} (opaque)", types.describe(id));
        }
        Kind::Enum { underlying, .. } => {
            let _ = writeln!(out, "{} ({size}, {})", types.describe(id), types.describe(*underlying));
            Unnamed { types, out: &mut out }.body(id, 1, Some(0));
        }
        kind => {
            tag(kind)?;
            let _ = writeln!(out, "{} ({size})", types.describe(id));
            Unnamed { types, out: &mut out }.body(id, 1, Some(0));
        }
    }
    Some(out)
}

fn base(types: &TypeGraph, id: TypeId) -> Option<String> {
    let ty = types.get(id);
    let signs = |signed: bool| if signed { "signed" } else { "unsigned" };
    let what = match &ty.kind {
        Kind::Bool => "truth value".to_owned(),
        Kind::Char { signed } => format!("{} character", signs(*signed)),
        Kind::Int { signed, bits } if ty.size == Some(u64::from(*bits / 8)) => format!("{} integer", signs(*signed)),
        Kind::Int { signed, bits } => format!("{} integer of {bits} bits", signs(*signed)),
        Kind::Float { .. } => "floating point".to_owned(),
        Kind::Unsupported(_) => "not supported".to_owned(),
        _ => return None,
    };
    Some(format!("{} ({}, {what})\n", types.describe(id), size(ty)))
}

fn size(ty: &Type) -> String {
    ty.size.map_or_else(|| "size unknown".to_owned(), bytes)
}

fn bytes(count: u64) -> String {
    format!("{count} byte{}", if count == 1 { "" } else { "s" })
}

/// Writes unnamed types below the line that uses them.
struct Unnamed<'a> {
    types: &'a TypeGraph,
    out: &'a mut String,
}

impl Unnamed<'_> {
    /// Writes the unnamed type of `id` or of its target, if there is one. `start` is its offset in the enclosing type.
    /// After a pointer and in arrays, offsets count from the type's own start (`+4`).
    fn collect(&mut self, id: TypeId, depth: usize, start: Option<u64>) {
        // Names end recursion, but broken debug information may have none.
        if depth > 32 {
            return;
        }
        let ty = self.types.get(id);
        match &ty.kind {
            Kind::Pointer { to } | Kind::Array { element: to, .. } => self.collect(*to, depth, None),
            Kind::Qualified { to, .. } => self.collect(*to, depth, start),
            kind if ty.name.is_none() && tag(kind).is_some() => self.body(id, depth, start),
            _ => {}
        }
    }

    /// Writes the members or values of `id`.
    fn body(&mut self, id: TypeId, depth: usize, start: Option<u64>) {
        match self.types.kind(id) {
            Kind::Struct { members } | Kind::Union { members } => {
                for member in members {
                    self.member(member, depth, start);
                }
            }
            Kind::Enum { values, .. } => {
                for value in values {
                    let _ = writeln!(
                        self.out,
                        "{:8}{:indent$}{} = {}",
                        "",
                        "",
                        value.name,
                        value.value,
                        indent = 2 * (depth - 1)
                    );
                }
            }
            _ => {}
        }
    }

    fn member(&mut self, member: &Member, depth: usize, start: Option<u64>) {
        let sign = if start.is_none() { "+" } else { "" };
        let offset = start.unwrap_or(0) + member.offset;
        let declaration = self.types.declare(member.ty, member.name.as_deref().unwrap_or_default());
        let (place, width) = match member.bits {
            Some(bits) => (format!("{sign}{offset}.{}", bits.offset), format!(":{}", bits.size)),
            None => (format!("{sign}{offset}"), String::new()),
        };
        let indent = 2 * (depth - 1);
        let _ = writeln!(self.out, "{place:>6}  {:indent$}{declaration}{width}", "");
        self.collect(member.ty, depth + 1, start.map(|_| offset));
    }
}
