//! The scalars that a test can observe: the result, objects, global variables, and memory that the function made.

use tine_types::graph::{Member, Qualifier};
use tine_types::{Kind, TypeGraph, TypeId};

use super::memory::is_flexible;
use super::place::Place;
use super::write::is_complex;

/// Maximum number of elements of an array that are observed.
const MAX_ELEMENTS: u64 = 64;
/// Maximum depth of pointers to new memory that are followed.
const MAX_DEPTH: u32 = 3;
/// Maximum number of leaves of one test.
pub(super) const MAX_LEAVES: usize = 400;

/// A scalar, or an array of characters.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) expression: String,
    pub(super) ty: TypeId,
    pub(super) kind: LeafKind,
    /// The pointer leaf whose new target contains this leaf.
    pub(super) parent: Option<usize>,
    /// The result did not exist before the call.
    pub(super) is_result: bool,
    /// Its address can be taken.
    pub(super) is_bits: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeafKind {
    Signed,
    Unsigned,
    /// More than 64 bits: an integer or a `long double`.
    Wide,
    Float,
    Pointer,
    /// A pointer to characters.
    Text,
    /// An array of this many characters.
    Characters(u64),
}

pub(super) struct Leaves<'a> {
    pub(super) graph: &'a TypeGraph,
    pub(super) list: Vec<Leaf>,
    is_result: bool,
}

impl<'a> Leaves<'a> {
    pub(super) fn new(graph: &'a TypeGraph) -> Leaves<'a> {
        Leaves { graph, list: Vec::new(), is_result: false }
    }

    pub(super) fn result(&mut self, ty: TypeId, name: &str) {
        self.is_result = true;
        self.add(ty, &Place::Value(name.to_owned()), None, 0);
        self.is_result = false;
    }

    /// Adds all scalars of a place. Pointers to new memory are followed, because the function made it.
    pub(super) fn add(&mut self, ty: TypeId, place: &Place, parent: Option<usize>, depth: u32) {
        if self.list.len() >= MAX_LEAVES {
            return;
        }
        let plain = self.graph.strip(ty);
        if is_complex(self.graph, ty) {
            return self.complex(plain, place, parent);
        }
        match self.graph.kind(plain) {
            Kind::Struct { members } => self.members(members, place, parent, depth),
            // Observing one member's view of the bytes is enough.
            Kind::Union { members } => {
                let scalar = members.iter().find(|member| {
                    let kind = self.graph.kind(self.graph.strip(member.ty));
                    matches!(
                        kind,
                        Kind::Int { .. } | Kind::Float { .. } | Kind::Bool | Kind::Enum { .. } | Kind::Char { .. }
                    )
                });
                self.members(scalar.map(std::slice::from_ref).unwrap_or_default(), place, parent, depth);
            }
            Kind::Array { element, count: Some(count) } if *count > 0 => {
                let (element, count) = (*element, *count);
                if matches!(self.graph.kind(self.graph.strip(element)), Kind::Char { .. }) && count <= 4096 {
                    self.leaf(plain, LeafKind::Characters(count), place, parent, false);
                    return;
                }
                for index in 0..count.min(MAX_ELEMENTS) {
                    self.add(element, &place.index(index), parent, depth);
                }
            }
            _ => self.scalar(ty, place, parent, depth, false),
        }
    }

    /// Real and imaginary part, whose addresses cannot be taken in C.
    fn complex(&mut self, ty: TypeId, place: &Place, parent: Option<usize>) {
        let Kind::Struct { members } = self.graph.kind(ty) else { return };
        for (operator, member) in ["__real__", "__imag__"].iter().zip(members) {
            let part = Place::Value(format!("{operator} {}", place.text()));
            self.leaf(member.ty, LeafKind::Float, &part, parent, true);
        }
    }

    fn members(&mut self, members: &[Member], place: &Place, parent: Option<usize>, depth: u32) {
        for member in members {
            if is_flexible(self.graph, member.ty) || self.graph.is_qualified(member.ty, Qualifier::Volatile) {
                continue;
            }
            let inner = member.name.as_ref().map_or(place.clone(), |name| place.member(name));
            match (&member.bits, &member.name) {
                (Some(_), Some(_)) => self.scalar(member.ty, &inner, parent, depth, true),
                (Some(_), None) => {}
                _ => self.add(member.ty, &inner, parent, depth),
            }
        }
    }

    fn scalar(&mut self, ty: TypeId, place: &Place, parent: Option<usize>, depth: u32, is_bits: bool) {
        let plain = self.graph.strip(ty);
        let size = self.graph.size(plain).unwrap_or(0);
        let kind = match self.graph.kind(plain) {
            Kind::Int { signed: true, .. } if size <= 8 => LeafKind::Signed,
            Kind::Int { signed: false, .. } | Kind::Bool if size <= 8 => LeafKind::Unsigned,
            Kind::Int { bits: 128, .. } => LeafKind::Wide,
            Kind::Unsupported(name) if name == "long double" && size == 16 => LeafKind::Wide,
            Kind::Char { .. } => LeafKind::Signed,
            Kind::Enum { .. } => LeafKind::Signed,
            Kind::Float { bits: 32 | 64 } => LeafKind::Float,
            Kind::Pointer { to } => match self.graph.kind(self.graph.strip(*to)) {
                Kind::Char { .. } => LeafKind::Text,
                _ => LeafKind::Pointer,
            },
            _ => return,
        };
        let index = self.leaf(ty, kind, place, parent, is_bits);
        if kind == LeafKind::Pointer
            && depth < MAX_DEPTH
            && let Kind::Pointer { to } = self.graph.kind(plain)
        {
            let to = self.graph.strip(*to);
            let is_known = self.graph.size(to).is_some_and(|size| size > 0) && !self.graph.is_stream(to);
            if is_known && !is_flexible(self.graph, to) {
                let pointer = if place.text().starts_with('*') { format!("({})", place.text()) } else { place.text() };
                self.add(to, &Place::Pointee(pointer), Some(index), depth + 1);
            }
        }
    }

    fn leaf(&mut self, ty: TypeId, kind: LeafKind, place: &Place, parent: Option<usize>, is_bits: bool) -> usize {
        let is_result = self.is_result;
        self.list.push(Leaf { expression: place.text(), ty, kind, parent, is_result, is_bits });
        self.list.len() - 1
    }
}

impl Leaves<'_> {
    /// An object of characters or bytes.
    pub(super) fn characters(&mut self, ty: TypeId, name: &str, count: u64) {
        self.leaf(ty, LeafKind::Characters(count), &Place::Value(name.to_owned()), None, false);
    }
}
