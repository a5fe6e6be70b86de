//! Alignment of types.

use crate::graph::Member;
use crate::{Kind, TypeGraph, TypeId};

const MAX_NESTING: u32 = 16;
/// Largest natural alignment of any C type.
const MOST: u64 = 16;

impl TypeGraph {
    /// Alignment of a type: that of its most aligned part, unless it is packed.
    pub fn alignment(&self, ty: TypeId) -> u64 {
        self.alignment_within(ty, 0)
    }

    fn alignment_within(&self, ty: TypeId, nesting: u32) -> u64 {
        let ty = self.strip(ty);
        // Untyped memory is aligned for any type.
        let size = self.size(ty).filter(|_| ty != TypeId::VOID).unwrap_or(MOST);
        let of_size = |size: u64| if size == 0 { MOST } else { 1 << size.trailing_zeros().min(MOST.trailing_zeros()) };
        let wanted = match self.kind(ty) {
            _ if nesting > MAX_NESTING => of_size(size),
            Kind::Array { element, .. } => return self.alignment_within(*element, nesting + 1),
            Kind::Struct { members } | Kind::Union { members } => {
                let of_member = |member: &Member| {
                    let wanted = self.alignment_within(member.ty, nesting + 1);
                    // The offset of a bit-field is that of its storage unit, so it says nothing.
                    if member.bits.is_some() { wanted } else { wanted.min(of_size(member.offset)) }
                };
                members.iter().map(of_member).max().unwrap_or(1)
            }
            _ => MOST,
        };
        wanted.min(of_size(size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{BitField, Type};

    #[test]
    fn the_largest_part_says_it_unless_it_is_packed() {
        let mut types = TypeGraph::default();
        let int = types.add(Type { name: None, size: Some(4), kind: Kind::Int { signed: true, bits: 32 } });
        let float = types.add(Type { name: None, size: Some(8), kind: Kind::Float { bits: 64 } });
        let array = types.add(Type { name: None, size: Some(8), kind: Kind::Array { element: int, count: Some(2) } });
        let member = |offset, ty| Member { name: None, ty, offset, bits: None };
        let mut composite = |size, kind| types.add(Type { name: None, size: Some(size), kind });
        let outer = composite(16, Kind::Struct { members: vec![member(0, array), member(8, float)] });
        let packed = composite(12, Kind::Struct { members: vec![member(0, int), member(4, float)] });
        let union = composite(16, Kind::Union { members: vec![member(0, float), member(0, array)] });
        let bit_field = |offset| Member { bits: Some(BitField { offset: 0, size: 3 }), ..member(offset, int) };
        let flags = composite(4, Kind::Struct { members: vec![bit_field(0), bit_field(1)] });
        let all = [int, array, outer, packed, union, flags].map(|ty| types.alignment(ty));
        assert_eq!(all, [4, 4, 8, 4, 8, 4]);
        assert_eq!(types.alignment(TypeId::VOID), 16);
    }
}
