//! Scalar types: values that a harness can request as one input and pass by value.

use crate::graph::{Kind, TypeGraph, TypeId};

/// A number type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scalar {
    pub kind: ScalarKind,
    /// In bytes.
    pub size: u32,
}

/// Kind of a number type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarKind {
    Bool,
    /// Plain `char`: a number that is shown as a character.
    Char,
    Signed,
    Unsigned,
    Float,
}

impl TypeGraph {
    /// The scalar that `id` is, after resolving typedefs, qualifiers and enums. Pointers are not scalars. Neither are
    /// types with padding bits (`_BitInt(37)`), because their bytes cannot be chosen freely.
    pub fn scalar(&self, id: TypeId) -> Option<Scalar> {
        let ty = self.get(self.strip(id));
        let size = u32::try_from(ty.size?).ok()?;
        let kind = match &ty.kind {
            Kind::Bool => ScalarKind::Bool,
            Kind::Char { .. } => ScalarKind::Char,
            Kind::Int { bits, .. } if *bits != size * 8 => return None,
            Kind::Int { signed: true, .. } => ScalarKind::Signed,
            Kind::Int { signed: false, .. } => ScalarKind::Unsigned,
            Kind::Float { .. } => ScalarKind::Float,
            // C++ may base an enum on `bool` or `char`. As an enum it counts as a number.
            Kind::Enum { underlying, .. } => match self.kind(self.strip(*underlying)) {
                Kind::Int { signed: true, .. } | Kind::Char { signed: true } => ScalarKind::Signed,
                _ => ScalarKind::Unsigned,
            },
            _ => return None,
        };
        Some(Scalar { kind, size })
    }
}
