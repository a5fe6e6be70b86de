//! What types say about input cells: which of them are pointers or `bool`s, how large an object gets, where in one a
//! pointer of another type may point.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use tine_trace::plan::{MAX_SLOTS, TEXT};
use tine_types::graph::Signature;
use tine_types::{Kind, TypeGraph, TypeId};

/// How much input there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Objects at a time.
    pub objects: u32,
    /// Elements of an array whose length nobody tells.
    pub elements: u32,
    /// Characters of a text, without its end.
    pub text: u32,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { objects: 12, elements: 8, text: 8 }
    }
}

/// A cell whose bytes cannot be chosen freely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// 0 or 1.
    Bool,
    Pointer {
        to: TypeId,
    },
    Function {
        signature: TypeId,
    },
}

impl Cell {
    /// Bytes.
    pub fn size(self) -> u32 {
        if self == Cell::Bool { 1 } else { 8 }
    }
}

/// What an object is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// [`TypeId::VOID`] for bytes without a type.
    pub ty: TypeId,
    pub size: u32,
    /// Of the whole object, at most.
    pub extent: u32,
    /// Where in its slot the object begins.
    pub start: u32,
    /// Of `tine_trace::plan::PlanObject`.
    pub flags: u32,
}

/// A function that input pointers may point to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callable {
    pub name: String,
    /// Its type, stripped.
    pub signature: TypeId,
}

/// Bytes behind a pointer that does not say to what.
const BUFFER: u32 = 64;
/// Places for one type in an element of another, at most.
const MAX_POSITIONS: usize = 1024;
const MAX_NESTING: u32 = 16;

/// Lists that were asked for before.
type Memo<K, T> = RefCell<HashMap<K, Rc<[T]>>>;

/// See the module's documentation.
#[derive(Debug, Default)]
pub struct Shapes {
    types: TypeGraph,
    /// The type of each variable of the driver, by number from 1.
    roots: Vec<TypeId>,
    callables: Vec<Callable>,
    bounds: Bounds,
    slot_shift: u32,
    /// Filled as asked for.
    cells: Memo<TypeId, (u32, Cell)>,
    positions: Memo<(TypeId, TypeId), u32>,
}

impl Shapes {
    /// `roots` are the types of the driver's variables, `callables` its table of functions.
    pub fn new(types: TypeGraph, roots: Vec<TypeId>, callables: Vec<Callable>, bounds: Bounds) -> Shapes {
        let mut shapes = Shapes { types, roots, callables, bounds, slot_shift: 12, ..Shapes::default() };
        shapes.slot_shift = shapes.needed_shift();
        shapes
    }

    pub fn types(&self) -> &TypeGraph {
        &self.types
    }

    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    pub fn callables(&self) -> &[Callable] {
        &self.callables
    }

    /// Slots of the input region are `1 << slot_shift` bytes apart: room for the largest object, and a gap.
    pub fn slot_shift(&self) -> u32 {
        self.slot_shift
    }

    /// Whether any input has a type at all.
    pub fn has_roots(&self) -> bool {
        !self.roots.is_empty()
    }

    /// The type of the driver's variable number `number`.
    pub fn root(&self, number: u32) -> Option<TypeId> {
        self.roots.get((number as usize).checked_sub(1)?).copied()
    }

    /// Cells of a value of this type, in order, by offset.
    pub fn cells(&self, ty: TypeId) -> Rc<[(u32, Cell)]> {
        if let Some(known) = self.cells.borrow().get(&ty) {
            return Rc::clone(known);
        }
        let mut found = Vec::new();
        self.collect(ty, 0, 0, &mut found);
        found.sort_by_key(|(offset, cell)| (*offset, matches!(cell, Cell::Bool)));
        found.dedup_by_key(|(offset, _)| *offset);
        let found: Rc<[(u32, Cell)]> = found.into();
        self.cells.borrow_mut().insert(ty, Rc::clone(&found));
        found
    }

    fn collect(&self, ty: TypeId, offset: u64, nesting: u32, found: &mut Vec<(u32, Cell)>) {
        const MANY: usize = 1 << 16;
        let Ok(at) = u32::try_from(offset) else { return };
        if nesting > MAX_NESTING || found.len() > MANY {
            return;
        }
        match self.types.kind(self.types.strip(ty)) {
            Kind::Bool => found.push((at, Cell::Bool)),
            Kind::Pointer { to } => {
                let target = self.types.strip(*to);
                found.push((
                    at,
                    match self.types.kind(target) {
                        Kind::Function(_) => Cell::Function { signature: target },
                        _ => Cell::Pointer { to: *to },
                    },
                ));
            }
            Kind::Array { element, count } => {
                let size = self.types.size(*element).unwrap_or(0);
                for k in 0..count.unwrap_or(0) {
                    self.collect(*element, offset + k * size, nesting + 1, found);
                }
            }
            Kind::Struct { members } => {
                for member in members.iter().filter(|member| member.bits.is_none()) {
                    self.collect(member.ty, offset + member.offset, nesting + 1, found);
                }
            }
            Kind::Union { members } => {
                // A byte that is a `bool` in one member is not in another.
                let first = found.len();
                for member in members.iter().filter(|member| member.bits.is_none()) {
                    self.collect(member.ty, offset + member.offset, nesting + 1, found);
                }
                let mut index = 0;
                found.retain(|(_, cell)| {
                    index += 1;
                    index <= first || *cell != Cell::Bool
                });
            }
            _ => {}
        }
    }

    /// What a pointer to `to` points to, when something is made for it.
    pub fn element(&self, to: TypeId) -> Element {
        let target = self.types.strip(to);
        let size = self.types.size(target).and_then(|size| u32::try_from(size).ok()).unwrap_or(0);
        match self.types.kind(target) {
            Kind::Char { .. } => {
                Element { ty: target, size: 1, extent: self.bounds.text.saturating_add(1), start: 0, flags: TEXT }
            }
            Kind::Void | Kind::Opaque { .. } | Kind::Function(_) | Kind::Unsupported(_) => {
                Element { ty: TypeId::VOID, size: 1, extent: BUFFER, start: 0, flags: 0 }
            }
            kind => {
                let tail = self.flexible_tail(kind).saturating_mul(self.bounds.elements);
                let extent = if tail > 0 { size + tail } else { size.saturating_mul(self.bounds.elements) };
                if size == 0 && tail == 0 {
                    return Element { ty: TypeId::VOID, size: 1, extent: BUFFER, start: 0, flags: 0 };
                }
                Element { ty: target, size, extent, start: 0, flags: 0 }
            }
        }
    }

    /// Size of an element of the flexible array that a struct ends with.
    fn flexible_tail(&self, kind: &Kind) -> u32 {
        let Kind::Struct { members } = kind else { return 0 };
        let Some(last) = members.last() else { return 0 };
        match self.types.kind(self.types.strip(last.ty)) {
            Kind::Array { element, count: None | Some(0) } => self.types.size(*element).unwrap_or(0) as u32,
            _ => 0,
        }
    }

    /// The cell at `offset` of an object made of such elements.
    pub fn cell_of_element(&self, element: &Element, offset: u32) -> Option<Cell> {
        if element.size == 0 || element.ty == TypeId::VOID {
            return None;
        }
        self.cell(element.ty, offset % element.size)
    }

    /// The cell at `offset` of a value of this type.
    pub fn cell(&self, ty: TypeId, offset: u32) -> Option<Cell> {
        let cells = self.cells(ty);
        cells.binary_search_by_key(&offset, |(offset, _)| *offset).ok().map(|index| cells[index].1)
    }

    /// Whether there are more than [`Shapes::positions`] tells.
    pub fn has_more_positions(&self, element: TypeId, to: TypeId) -> bool {
        self.positions(element, to).len() >= MAX_POSITIONS
    }

    /// Where in an element of `element` something begins that a pointer to `to` may point to.
    pub fn positions(&self, element: TypeId, to: TypeId) -> Rc<[u32]> {
        if let Some(known) = self.positions.borrow().get(&(element, to)) {
            return Rc::clone(known);
        }
        let found: Rc<[u32]> = self.search(element, self.types.strip(to)).into();
        self.positions.borrow_mut().insert((element, to), Rc::clone(&found));
        found
    }

    fn search(&self, element: TypeId, to: TypeId) -> Vec<u32> {
        let mut found = Vec::new();
        // What has no type may be whatever a pointer says it is.
        if element == TypeId::VOID || matches!(self.types.kind(to), Kind::Void | Kind::Opaque { .. }) {
            found.push(0);
        } else {
            self.find(element, to, 0, 0, &mut found);
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(MAX_POSITIONS);
        found
    }

    fn find(&self, inside: TypeId, to: TypeId, offset: u64, nesting: u32, found: &mut Vec<u32>) {
        let inside = self.types.strip(inside);
        if nesting > MAX_NESTING || found.len() >= MAX_POSITIONS {
            return;
        }
        if self.is_same(inside, to) {
            found.extend(u32::try_from(offset));
        }
        match self.types.kind(inside) {
            Kind::Array { element, count } => {
                let size = self.types.size(*element).unwrap_or(0);
                for k in 0..count.unwrap_or(0) {
                    self.find(*element, to, offset + k * size, nesting + 1, found);
                }
            }
            Kind::Struct { members } | Kind::Union { members } => {
                for member in members.iter().filter(|member| member.bits.is_none()) {
                    self.find(member.ty, to, offset + member.offset, nesting + 1, found);
                }
            }
            _ => {}
        }
    }

    /// Whether two stripped types are one: files that include the same header each bring their own copy.
    pub fn is_same(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        let (x, y) = (self.types.get(a), self.types.get(b));
        if x.size != y.size {
            return false;
        }
        match (&x.kind, &y.kind) {
            (Kind::Struct { .. }, Kind::Struct { .. })
            | (Kind::Union { .. }, Kind::Union { .. })
            | (Kind::Enum { .. }, Kind::Enum { .. })
            | (Kind::Opaque { .. }, Kind::Opaque { .. }) => x.name.is_some() && x.name == y.name,
            // C's rule: signed and unsigned of one size may alias.
            (Kind::Int { .. }, Kind::Int { .. } | Kind::Enum { .. }) | (Kind::Enum { .. }, Kind::Int { .. }) => true,
            (Kind::Pointer { to: a }, Kind::Pointer { to: b }) => {
                let (a, b) = (self.types.strip(*a), self.types.strip(*b));
                a == b || self.types.get(a).name == self.types.get(b).name
            }
            (Kind::Function(a), Kind::Function(b)) => self.is_same_signature(a, b),
            (a, b) => a == b,
        }
    }

    fn is_same_signature(&self, a: &Signature, b: &Signature) -> bool {
        let same = |a: &TypeId, b: &TypeId| self.is_same(self.types.strip(*a), self.types.strip(*b));
        a.variadic == b.variadic
            && a.params.len() == b.params.len()
            && same(&a.ret, &b.ret)
            && a.params.iter().zip(&b.params).all(|(a, b)| same(a, b))
    }

    /// The least shift that leaves a gap behind the largest object that a pointer reachable from the roots makes.
    fn needed_shift(&self) -> u32 {
        const LEAST: u32 = 12;
        const MOST: u32 = 20;
        let mut pending: Vec<TypeId> = self.roots.clone();
        let mut seen = std::collections::HashSet::new();
        let mut largest = 0;
        while let Some(ty) = pending.pop() {
            for (_, cell) in self.cells(ty).iter() {
                if let Cell::Pointer { to } = cell
                    && seen.insert(self.types.strip(*to))
                {
                    let element = self.element(*to);
                    largest = largest.max(element.extent);
                    pending.push(element.ty);
                }
            }
        }
        let shift = u32::BITS - (largest + largest / 4 + 16).leading_zeros();
        shift.clamp(LEAST, MOST)
    }

    /// Objects that may exist at a time.
    pub fn max_objects(&self) -> u32 {
        self.bounds.objects.min(MAX_SLOTS / 2)
    }
}
