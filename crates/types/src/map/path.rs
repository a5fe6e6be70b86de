//! Conversion of an offset in an object to the part at that offset.

use super::{ObjectId, Pointer, Step};
use crate::graph::{Kind, TypeGraph, TypeId};

/// The place at `offset` bytes in an array of `element`, as a pointer to `pointee` sees it.
pub(super) fn locate(graph: &TypeGraph, object: ObjectId, element: TypeId, offset: u64, pointee: TypeId) -> Pointer {
    let single = has_flexible_tail(graph, element);
    let (index, rest) = match stride(graph, element) {
        _ if single => (0, offset),
        size => (offset / size, offset % size),
    };
    let mut place = Place { graph, wanted: graph.describe(graph.strip(pointee)), steps: Vec::new() };
    let rest = place.descend(element, rest);
    Pointer { object, offset, element: index, steps: place.steps, rest }
}

/// Distance of consecutive elements in bytes; 1 for types without a size (`void`, opaque types).
pub(super) fn stride(graph: &TypeGraph, element: TypeId) -> u64 {
    graph.size(element).unwrap_or(1).max(1)
}

/// True if values of the type extend to the end of their object: `struct { int n; char text[]; }`, `int[]`.
pub(super) fn has_flexible_tail(graph: &TypeGraph, ty: TypeId) -> bool {
    match graph.kind(graph.strip(ty)) {
        Kind::Array { count: None | Some(0), .. } => true,
        Kind::Struct { members } => members.last().is_some_and(|member| has_flexible_tail(graph, member.ty)),
        _ => false,
    }
}

struct Place<'a> {
    graph: &'a TypeGraph,
    /// Target type of the pointer in C. Compared by name, because files that declare the same type have separate nodes
    /// for it.
    wanted: String,
    steps: Vec<Step>,
}

impl Place<'_> {
    /// Collects the steps from `ty` to the part at `offset`, and returns the remaining bytes. A struct and its first
    /// member have the same address: prefer the wanted type, then the larger part.
    fn descend(&mut self, ty: TypeId, offset: u64) -> u64 {
        let ty = self.graph.strip(ty);
        if offset == 0 && self.graph.describe(ty) == self.wanted {
            return 0;
        }
        let found = self.part(ty, offset);
        let wanted = self.steps.len();
        let Some((step, part, inner)) = found else { return offset };
        self.steps.extend(step);
        let rest = self.descend(part, inner);
        if offset == 0 && !self.ends_as_wanted(part) {
            self.steps.truncate(wanted);
            return 0;
        }
        rest
    }

    /// True if the wanted type is at the start of `ty`.
    fn ends_as_wanted(&self, ty: TypeId) -> bool {
        let ty = self.graph.strip(ty);
        self.graph.describe(ty) == self.wanted || self.part(ty, 0).is_some_and(|(_, part, _)| self.ends_as_wanted(part))
    }

    /// The member or element of `ty` that contains the byte at `offset`, and the offset in it.
    fn part(&self, ty: TypeId, offset: u64) -> Option<(Option<Step>, TypeId, u64)> {
        match self.graph.kind(ty) {
            Kind::Struct { members } | Kind::Union { members } => {
                let holds = |ty: TypeId, start: u64| {
                    let flexible = has_flexible_tail(self.graph, ty);
                    start <= offset && (flexible || offset - start < self.graph.size(ty).unwrap_or(0))
                };
                // Pointers to bit-fields do not exist. In a union, take the first member that contains the wanted type.
                let mut fit = members.iter().filter(|member| member.bits.is_none() && holds(member.ty, member.offset));
                let first = fit.next()?;
                let best = std::iter::once(first)
                    .chain(fit)
                    .find(|member| member.offset == offset && self.ends_as_wanted(member.ty))
                    .unwrap_or(first);
                Some((best.name.clone().map(Step::Member), best.ty, offset - best.offset))
            }
            Kind::Array { element, .. } => {
                let size = stride(self.graph, *element);
                Some((Some(Step::Index(offset / size)), *element, offset % size))
            }
            _ => None,
        }
    }
}
