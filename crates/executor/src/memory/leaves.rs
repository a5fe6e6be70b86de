//! The primitive parts of a type.

use tine_types::{Kind, TypeGraph, TypeId};

/// A primitive part of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    pub(super) offset: u64,
    pub(super) size: u64,
    /// Parts of one class are equal or disjoint. Parts of different classes are disjoint.
    pub(super) class: Class,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Bits(u64),
    Float(u64),
    /// Other parts, by size.
    Opaque(u64),
}

/// Maximum number of parts. The rest of a large type is one part.
const MAX_LEAVES: usize = 64;
const MAX_NESTING: u32 = 16;

/// Parts of a type, in the order of their offsets. Members of a union are one part.
pub(super) fn leaves(types: &TypeGraph, ty: TypeId) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect(types, ty, 0, 0, &mut found);
    found
}

fn collect(types: &TypeGraph, ty: TypeId, offset: u64, nesting: u32, found: &mut Vec<Leaf>) {
    let ty = types.strip(ty);
    let size = types.size(ty).unwrap_or(1).max(1);
    let class = match types.kind(ty) {
        Kind::Array { element, count: Some(count) } if nesting < MAX_NESTING && found.len() < MAX_LEAVES => {
            let step = types.size(*element).unwrap_or(1);
            (0..*count).for_each(|k| collect(types, *element, offset + k * step, nesting + 1, found));
            return;
        }
        Kind::Struct { members } if nesting < MAX_NESTING && found.len() < MAX_LEAVES => {
            for member in members {
                let mut at = member.offset;
                if member.bits.is_some() {
                    // A storage unit of several bit-fields is one part.
                    at -= at % types.size(types.strip(member.ty)).unwrap_or(1).max(1);
                    if found.last().is_some_and(|leaf| leaf.offset == offset + at) {
                        continue;
                    }
                }
                collect(types, member.ty, offset + at, nesting + 1, found);
            }
            return;
        }
        Kind::Float { .. } => Class::Float(size),
        Kind::Bool | Kind::Char { .. } | Kind::Int { .. } | Kind::Enum { .. } | Kind::Pointer { .. } => {
            Class::Bits(size)
        }
        _ => Class::Opaque(size),
    };
    if found.len() <= MAX_LEAVES {
        found.push(Leaf { offset, size, class });
    }
}

/// True if a type has no parts.
pub(super) fn is_primitive(types: &TypeGraph, ty: TypeId) -> bool {
    let found = leaves(types, ty);
    matches!(found.as_slice(), [leaf] if leaf.offset == 0 && !matches!(leaf.class, Class::Opaque(_)))
        && !matches!(types.kind(types.strip(ty)), Kind::Struct { .. } | Kind::Array { .. })
}

#[cfg(test)]
mod tests {
    use tine_types::graph::{BitField, Member, Type};

    use super::*;

    #[test]
    fn structs_and_arrays_come_apart() {
        let mut types = TypeGraph::default();
        let int = types.add(Type { name: None, size: Some(4), kind: Kind::Int { signed: true, bits: 32 } });
        let float = types.add(Type { name: None, size: Some(8), kind: Kind::Float { bits: 64 } });
        let array = types.add(Type { name: None, size: Some(8), kind: Kind::Array { element: int, count: Some(2) } });
        let member = |offset, ty| Member { name: None, ty, offset, bits: None };
        let members = vec![member(0, array), member(8, float)];
        let outer = types.add(Type { name: None, size: Some(16), kind: Kind::Struct { members } });
        let found: Vec<(u64, Class)> = leaves(&types, outer).iter().map(|leaf| (leaf.offset, leaf.class)).collect();
        assert_eq!(found, [(0, Class::Bits(4)), (4, Class::Bits(4)), (8, Class::Float(8))]);
        let bit_field = |offset| Member { bits: Some(BitField { offset: 0, size: 3 }), ..member(offset, int) };
        let members = vec![bit_field(0), bit_field(1)];
        let flags = types.add(Type { name: None, size: Some(4), kind: Kind::Struct { members } });
        assert_eq!(leaves(&types, flags).len(), 1);
        assert!(is_primitive(&types, int) && !is_primitive(&types, array) && !is_primitive(&types, outer));
    }
}
