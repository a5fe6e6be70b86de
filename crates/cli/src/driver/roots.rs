//! The driver's variables: one for each input, with its C type.

use std::fmt::Write as _;

use tine_trace::plan::{InputKind, ZERO_FILL};
use tine_types::graph::Qualifier;
use tine_types::{Function, Kind, Program, Scalar, ScalarKind, TypeId};

/// A parameter that cannot be an input.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{function}` takes `{declaration}`, and {what} cannot be an input")]
pub(crate) struct Unsupported {
    pub(crate) function: String,
    pub(crate) declaration: String,
    pub(crate) what: String,
}

/// One variable.
#[derive(Clone, Debug)]
struct Root {
    /// As the user knows it.
    name: String,
    ty: TypeId,
    kind: u32,
}

#[derive(Debug)]
pub(super) struct Roots<'a> {
    program: &'a Program,
    roots: Vec<Root>,
}

impl<'a> Roots<'a> {
    pub(super) fn new(program: &'a Program) -> Roots<'a> {
        Roots { program, roots: Vec::new() }
    }

    /// A variable for each parameter; the arguments of the call.
    pub(super) fn parameters(&mut self, function: &Function) -> Result<Vec<String>, Unsupported> {
        let mut arguments = Vec::new();
        for (index, parameter) in function.params.iter().enumerate() {
            let name = parameter.name.clone().unwrap_or_else(|| format!("arg{index}"));
            let ty = self.unqualified(parameter.ty);
            let kind = self.kind(ty).map_err(|what| Unsupported {
                function: function.name.clone(),
                declaration: self.program.types.declare(parameter.ty, &name),
                what,
            })?;
            arguments.push(self.add(name, ty, kind));
        }
        Ok(arguments)
    }

    fn add(&mut self, name: String, ty: TypeId, kind: u32) -> String {
        self.roots.push(Root { name, ty, kind });
        variable(self.roots.len())
    }

    /// The type without qualifiers of its own: the driver writes to it.
    fn unqualified(&self, ty: TypeId) -> TypeId {
        let types = &self.program.types;
        let mut ty = ty;
        while let Kind::Qualified { to, .. } = types.kind(ty) {
            ty = *to;
        }
        if types.is_qualified(ty, Qualifier::Const) { types.strip(ty) } else { ty }
    }

    /// How an input of the type is shown and filled; or what it is that cannot be one.
    fn kind(&self, ty: TypeId) -> Result<u32, String> {
        let types = &self.program.types;
        if let Some(scalar) = types.scalar(ty) {
            return scalar_kind(scalar).ok_or_else(|| "a number of this width".to_owned());
        }
        match types.kind(types.strip(ty)) {
            Kind::Pointer { .. } => Ok(InputKind::Pointer as u32 | ZERO_FILL),
            Kind::Struct { .. } | Kind::Union { .. } | Kind::Array { .. } if types.size(ty).is_some() => {
                Ok(InputKind::Bytes as u32 | ZERO_FILL)
            }
            Kind::Unsupported(what) => Err(what.clone()),
            _ => Err("a value of this type".to_owned()),
        }
    }

    /// `static struct list *tine_in_1;` …
    pub(super) fn declarations(&self) -> String {
        let declare = |(index, root): (usize, &Root)| {
            format!("static {};\n", self.program.types.declare(root.ty, &variable(index + 1)))
        };
        self.roots.iter().enumerate().map(declare).collect()
    }

    /// Statements that ask for them.
    pub(super) fn requests(&self) -> String {
        let mut text = String::new();
        for (index, root) in self.roots.iter().enumerate() {
            let (number, variable) = (index + 1, variable(index + 1));
            let (name, kind) = (root.name.escape_default(), root.kind);
            let _ = writeln!(text, "    __tine_root(&{variable}, sizeof {variable}, \"{name}\", {kind}, {number});");
        }
        text
    }

    /// Names of the variables, by number from 1.
    pub(super) fn names(&self) -> Vec<String> {
        (1..=self.roots.len()).map(variable).collect()
    }
}

fn variable(number: usize) -> String {
    format!("tine_in_{number}")
}

fn scalar_kind(scalar: Scalar) -> Option<u32> {
    Some(match (scalar.kind, scalar.size) {
        (ScalarKind::Bool, 1) => InputKind::Bool as u32 | ZERO_FILL,
        (ScalarKind::Char, 1) => InputKind::Char as u32,
        (ScalarKind::Signed, 1 | 2 | 4 | 8 | 16) => InputKind::Signed as u32,
        (ScalarKind::Unsigned, 1 | 2 | 4 | 8 | 16) => InputKind::Unsigned as u32,
        (ScalarKind::Float, 4 | 8) => InputKind::Float as u32,
        _ => return None,
    })
}
