//! Type information about input cells: pointers and `bool`s, sizes of objects, and the offsets at which a pointer of
//! another type may point into an object.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use tine_trace::plan::{CHARACTERS, MAPPED_WORDS, MAX_SLOTS, PointerMap, TEXT};
use tine_types::graph::{Member, Signature};
use tine_types::input::{Element, PointerMaps};
use tine_types::{Kind, TypeGraph, TypeId};

/// Limits of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Number of objects that may exist at a time.
    pub objects: u32,
    /// Elements of an array of unknown length.
    pub elements: u32,
    /// Characters of a string, without the terminating NUL.
    pub text: u32,
    /// Allow enumerations to have values that are not enumerators.
    pub any_enum: bool,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { objects: 12, elements: 8, text: 8, any_enum: false }
    }
}

/// A cell whose bytes cannot be chosen freely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// 0 or 1.
    Bool,
    /// One of the values of an enumeration.
    Enum { ty: TypeId, size: u32 },
    Pointer {
        to: TypeId,
        /// True if other members of a union, which are not pointers, have the same bytes.
        shared: bool,
    },
    /// A pointer to a function, or to another object that only the unit can make (`FILE`). It points to one of those
    /// that the unit announced.
    Function { signature: TypeId, shared: bool },
}

impl Cell {
    /// Size in bytes.
    pub fn size(self) -> u32 {
        match self {
            Cell::Bool => 1,
            Cell::Enum { size, .. } => size,
            Cell::Pointer { .. } | Cell::Function { .. } => 8,
        }
    }

    /// True for cells that hold a pointer.
    pub fn is_pointer(self) -> bool {
        matches!(self, Cell::Pointer { .. } | Cell::Function { .. })
    }

    /// True if the bytes also belong to members of a union that are not pointers.
    pub fn is_shared(self) -> bool {
        matches!(self, Cell::Pointer { shared: true, .. } | Cell::Function { shared: true, .. })
    }

    fn sharing(self) -> Cell {
        match self {
            Cell::Pointer { to, .. } => Cell::Pointer { to, shared: true },
            Cell::Function { signature, .. } => Cell::Function { signature, shared: true },
            Cell::Bool | Cell::Enum { .. } => self,
        }
    }
}

/// A function that input pointers may point to, or a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callable {
    pub name: String,
    /// Its type without qualifiers and names.
    pub signature: TypeId,
}

/// Size in bytes of the object created for an untyped pointer.
const BUFFER: u32 = 64;
/// Maximum number of offsets of one type in an element of another.
const MAX_POSITIONS: usize = 1024;
const MAX_NESTING: u32 = 16;

/// Memoised lists.
type Memo<K, T> = RefCell<HashMap<K, Rc<[T]>>>;

/// See the module's documentation.
#[derive(Debug, Default)]
pub struct Shapes {
    types: TypeGraph,
    /// Type of each variable of the harness, by number from 1.
    roots: Vec<TypeId>,
    callables: Vec<Callable>,
    bounds: Bounds,
    slot_shift: u32,
    has_shared_words: bool,
    /// Types of the objects that are reachable from the roots through pointers.
    elements: Vec<Element>,
    /// Pointer maps of the roots, followed by those of `elements`.
    maps: Arc<PointerMaps>,
    /// Addresses of the callables in this process; empty before the first run.
    functions: Vec<u64>,
    /// Memoised on first use.
    cells: Memo<TypeId, (u32, Cell)>,
    object_cells: Memo<(TypeId, u32), (u32, Cell)>,
    positions: Memo<(TypeId, TypeId), u32>,
}

impl Shapes {
    /// `roots` are the types of the harness's variables, `callables` is its table of functions.
    pub fn new(types: TypeGraph, roots: Vec<TypeId>, callables: Vec<Callable>, bounds: Bounds) -> Shapes {
        let mut shapes = Shapes { types, roots, callables, bounds, ..Shapes::default() };
        shapes.elements = shapes.reachable();
        shapes.slot_shift = shapes.needed_shift();
        shapes.has_shared_words = shapes.any_shared_word();
        shapes.maps = Arc::new(pointer_maps(&shapes));
        shapes
    }

    /// Types of the program.
    pub fn types(&self) -> &TypeGraph {
        &self.types
    }

    /// Bounds on the inputs.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Functions that pointers can point to.
    pub fn callables(&self) -> &[Callable] {
        &self.callables
    }

    /// Addresses of the callables, by their number.
    pub fn functions(&self) -> &[u64] {
        &self.functions
    }

    /// Sets the addresses of the functions in the running program.
    pub fn set_functions(&mut self, addresses: Vec<u64>) {
        self.functions = addresses;
    }

    /// Number of the callable at an address.
    pub fn function_at(&self, address: u64) -> Option<u32> {
        let number = self.functions.iter().position(|known| *known == address && address != 0);
        number.map(|number| number as u32)
    }

    /// Slots of the input region are `1 << slot_shift` bytes apart: room for the largest object, and a gap.
    pub fn slot_shift(&self) -> u32 {
        self.slot_shift
    }

    /// True if some word of an input is a pointer in one member of a union and another type in another member.
    pub fn has_shared_words(&self) -> bool {
        self.has_shared_words
    }

    /// True if any input has a type.
    pub fn has_roots(&self) -> bool {
        !self.roots.is_empty()
    }

    /// Type of the harness's variable `number`.
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
        // Of several pointers in a union, take the one with the strictest alignment.
        let alignment = |cell: &Cell| match cell {
            Cell::Pointer { to, .. } => self.types.alignment(*to),
            Cell::Function { .. } | Cell::Bool | Cell::Enum { .. } => 0,
        };
        found.sort_by_key(|(offset, cell)| (*offset, !cell.is_pointer(), Reverse(alignment(cell))));
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
            Kind::Enum { .. } => {
                let ty = self.types.strip(ty);
                let size = self.size(ty);
                if !self.enum_values(ty).is_empty() && matches!(size, 1 | 2 | 4 | 8) {
                    found.push((at, Cell::Enum { ty, size }));
                }
            }
            Kind::Pointer { to } => {
                let target = self.types.strip(*to);
                found.push((
                    at,
                    match self.types.kind(target) {
                        Kind::Function(_) => Cell::Function { signature: target, shared: false },
                        _ if self.types.is_stream(target) => Cell::Function { signature: target, shared: false },
                        _ => Cell::Pointer { to: *to, shared: false },
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
                found.extend(self.union_cells(members, offset, nesting));
            }
            _ => {}
        }
    }

    /// Pointers of a union's members. A `bool` is left out: the other members do not restrict that byte.
    fn union_cells(&self, members: &[Member], offset: u64, nesting: u32) -> Vec<(u32, Cell)> {
        // Bytes and cells of each member.
        let of_member = |member: &Member| {
            let start = offset + member.offset;
            let mut cells = Vec::new();
            if member.bits.is_none() {
                self.collect(member.ty, start, nesting + 1, &mut cells);
            }
            (start..start + self.types.size(member.ty).unwrap_or(0), cells)
        };
        let parts: Vec<_> = members.iter().map(of_member).collect();
        let mut found = Vec::new();
        for (index, (_, cells)) in parts.iter().enumerate() {
            for &(at, cell) in cells.iter().filter(|(_, cell)| cell.is_pointer()) {
                let (start, end) = (u64::from(at), u64::from(at) + u64::from(cell.size()));
                let others = parts.iter().enumerate().filter(|(other, _)| *other != index);
                let is_shared = others.map(|(_, part)| part).any(|(bytes, cells)| {
                    let is_pointer = cells.iter().any(|(other, cell)| *other == at && cell.is_pointer());
                    bytes.start < end && start < bytes.end && !is_pointer
                });
                found.push((at, if is_shared { cell.sharing() } else { cell }));
            }
        }
        found
    }

    /// Allowed values of an enumeration; empty if every value is possible.
    pub fn enum_values(&self, ty: TypeId) -> Vec<u128> {
        if self.bounds.any_enum { Vec::new() } else { self.types.enum_values(ty) }
    }

    /// Element type and count of the object that is created for a pointer to `to`.
    pub fn element(&self, to: TypeId) -> Element {
        let target = self.types.strip(to);
        let size = self.size(target);
        match self.types.kind(target) {
            Kind::Char { .. } => Element {
                ty: target,
                size: 1,
                extent: self.bounds.text.saturating_add(1),
                start: 0,
                flags: TEXT | CHARACTERS,
            },
            Kind::Void | Kind::Opaque { .. } | Kind::Function(_) | Kind::Unsupported(_) => {
                Element { ty: TypeId::VOID, size: 1, extent: BUFFER, start: 0, flags: 0 }
            }
            _ => {
                let tail = self.tail(target).map_or(0, |(_, element)| self.size(element));
                let tail = tail.saturating_mul(self.bounds.elements);
                let extent = if tail > 0 { size + tail } else { size.saturating_mul(self.bounds.elements) };
                if size == 0 && tail == 0 {
                    return Element { ty: TypeId::VOID, size: 1, extent: BUFFER, start: 0, flags: 0 };
                }
                let is_byte = matches!(self.types.kind(target), Kind::Int { bits: 8, .. });
                Element { ty: target, size, extent, start: 0, flags: if is_byte { CHARACTERS } else { 0 } }
            }
        }
    }

    /// Offset and element type of the flexible array at the end of a type.
    fn tail(&self, ty: TypeId) -> Option<(u32, TypeId)> {
        let Kind::Struct { members } = self.types.kind(self.types.strip(ty)) else { return None };
        let last = members.last()?;
        let at = u32::try_from(last.offset).ok()?;
        match self.types.kind(self.types.strip(last.ty)) {
            Kind::Array { element, count: None | Some(0) } => Some((at, *element)),
            _ => self.tail(last.ty).map(|(inner, element)| (at + inner, element)),
        }
    }

    /// True if a value ends with a flexible array.
    pub fn has_tail(&self, ty: TypeId) -> bool {
        self.tail(ty).is_some()
    }

    fn size(&self, ty: TypeId) -> u32 {
        self.types.size(ty).and_then(|size| u32::try_from(size).ok()).unwrap_or(0)
    }

    /// Cells of a whole object made of such elements, in order, by offset.
    pub fn cells_of_object(&self, element: &Element) -> Rc<[(u32, Cell)]> {
        let key = (element.ty, element.extent);
        if let Some(known) = self.object_cells.borrow().get(&key) {
            return Rc::clone(known);
        }
        let mut found = Vec::new();
        let mut repeat = |ty: TypeId, from: u32, size: u32| {
            let cells = self.cells(ty);
            if size != 0 && !cells.is_empty() {
                let starts = (from..element.extent).step_by(size as usize);
                found.extend(starts.flat_map(|start| cells.iter().map(move |(at, cell)| (start + at, *cell))));
            }
        };
        match self.tail(element.ty) {
            _ if element.ty == TypeId::VOID => {}
            Some((at, of)) => {
                repeat(element.ty, 0, element.extent);
                repeat(of, at, self.size(of));
            }
            None => repeat(element.ty, 0, element.size),
        }
        found.retain(|(at, cell)| at + cell.size() <= element.extent);
        let found: Rc<[(u32, Cell)]> = found.into();
        self.object_cells.borrow_mut().insert(key, Rc::clone(&found));
        found
    }

    /// True if the list of [`Shapes::positions`] is incomplete.
    pub fn has_more_positions(&self, element: TypeId, to: TypeId) -> bool {
        self.positions(element, to).len() >= MAX_POSITIONS
    }

    /// Offsets in an element of `element` where a pointer to `to` may point.
    pub fn positions(&self, element: TypeId, to: TypeId) -> Rc<[u32]> {
        if let Some(known) = self.positions.borrow().get(&(element, to)) {
            return Rc::clone(known);
        }
        let found: Rc<[u32]> = self.search(element, self.types.strip(to)).into();
        self.positions.borrow_mut().insert((element, to), Rc::clone(&found));
        found
    }

    /// Offsets in an object where a pointer to `to` may point: in its first element and in those that begin in its
    /// first `touched` bytes.
    pub fn positions_in_object(&self, element: &Element, touched: u32, to: TypeId) -> Vec<u32> {
        let touched = touched.min(element.extent);
        let repeat = |ty: TypeId, from: u32, to_end: u32, size: u32| {
            let positions = self.positions(ty, to);
            let starts = (from..to_end).step_by(size.max(1) as usize);
            starts.flat_map(|start| positions.iter().map(|at| start + at).collect::<Vec<_>>()).collect::<Vec<u32>>()
        };
        match self.tail(element.ty) {
            Some((at, of)) => [repeat(element.ty, 0, 1, 1), repeat(of, at, touched, self.size(of))].concat(),
            None => repeat(element.ty, 0, touched.max(1), element.size),
        }
    }

    /// True if such an object has any offset where a pointer to `to` may point.
    pub fn may_hold(&self, element: TypeId, to: TypeId) -> bool {
        let in_tail = || self.tail(element).is_some_and(|(_, of)| !self.positions(of, to).is_empty());
        !self.positions(element, to).is_empty() || in_tail()
    }

    fn search(&self, element: TypeId, to: TypeId) -> Vec<u32> {
        let mut found = Vec::new();
        // Memory without a type may have any type that a pointer gives it.
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

    /// True if two stripped types are the same: files that include the same header each bring their own copy.
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

    /// Objects that pointers reachable from the roots can create.
    fn reachable(&self) -> Vec<Element> {
        let mut pending: Vec<TypeId> = self.roots.clone();
        let mut seen = HashSet::new();
        let mut elements = Vec::new();
        while let Some(ty) = pending.pop() {
            let tail = self.tail(ty).map(|(_, of)| of);
            for (_, cell) in [Some(ty), tail].into_iter().flatten().flat_map(|ty| self.cells(ty).to_vec()) {
                if let Cell::Pointer { to, .. } = cell
                    && seen.insert(self.types.strip(to))
                {
                    let element = self.element(to);
                    pending.push(element.ty);
                    elements.push(element);
                }
            }
        }
        elements
    }

    fn any_shared_word(&self) -> bool {
        let elements = self.elements.iter().map(|element| element.ty);
        let mut types = self.roots.iter().copied().chain(elements);
        types.any(|ty| {
            let tail = self.tail(ty).map(|(_, of)| of);
            [Some(ty), tail].into_iter().flatten().any(|ty| self.cells(ty).iter().any(|(_, cell)| cell.is_shared()))
        })
    }

    /// Smallest shift that leaves a gap after the largest object.
    fn needed_shift(&self) -> u32 {
        const LEAST: u32 = 12;
        const MOST: u32 = 20;
        let largest = self.elements.iter().map(|element| element.extent).max().unwrap_or(0);
        let shift = u32::BITS - (largest + largest / 4 + 16).leading_zeros();
        shift.clamp(LEAST, MOST)
    }

    /// Alignment of all addresses that a pointer to `to` may have, including those inside other objects.
    pub fn alignment(&self, to: TypeId) -> u64 {
        let of_offset = |offset: u32| if offset == 0 { u64::MAX } else { 1 << offset.trailing_zeros() };
        let inside = |element: &Element| {
            let offsets = self.positions_in_object(element, element.extent, to);
            let least = offsets.into_iter().map(of_offset).min()?;
            Some(least.min(self.types.alignment(element.ty)))
        };
        self.elements.iter().filter_map(inside).fold(self.types.alignment(to), u64::min)
    }

    /// Pointer maps that the unit gets.
    pub fn maps(&self) -> Arc<PointerMaps> {
        Arc::clone(&self.maps)
    }

    /// True if the unit knows that the word at an offset of an element is a pointer. Then it rejects the input if the
    /// run uses a number there as a pointer.
    pub fn may_hold_number(&self, element: Option<&Element>, offset: u32) -> bool {
        match element {
            Some(element) if self.tail(element.ty).is_none() => is_mapped(offset % element.size.max(1)),
            _ => is_mapped(offset),
        }
    }

    /// Maximum number of objects at a time.
    pub fn max_objects(&self) -> u32 {
        self.bounds.objects.min(MAX_SLOTS / 2)
    }
}

/// True if the unit is informed of a pointer at this offset of an element.
fn is_mapped(offset: u32) -> bool {
    offset.is_multiple_of(8) && offset / 8 < MAPPED_WORDS
}

/// Pointer maps of the roots and of the element types.
fn pointer_maps(shapes: &Shapes) -> PointerMaps {
    let mut alignments = HashMap::new();
    let mut map = |ty: TypeId, size: u32| {
        let mut map = PointerMap { size: u64::from(size), ..PointerMap::default() };
        let words = |(offset, cell): &&(u32, Cell)| is_mapped(*offset) && cell.is_pointer();
        for (offset, cell) in shapes.cells(ty).iter().filter(words) {
            let word = offset / 8;
            map.pointers[word as usize / 64] |= 1 << (word % 64);
            let Cell::Pointer { to, .. } = cell else { continue };
            if word >= 64 {
                continue;
            }
            let alignment = *alignments.entry(*to).or_insert_with(|| shapes.alignment(*to));
            let n_zeros = alignment.trailing_zeros() as usize;
            map.zeros.iter_mut().take(n_zeros).for_each(|words| *words |= 1 << word);
        }
        map
    };
    let mut maps: Vec<PointerMap> = shapes.roots.iter().map(|ty| map(*ty, 0)).collect();
    let mut of_elements = HashMap::new();
    for Element { ty, size, .. } in &shapes.elements {
        // Memory after a structure with a flexible array is not another such structure.
        let size = if shapes.tail(*ty).is_some() { 0 } else { *size };
        let map = map(*ty, size);
        if map.pointers.iter().any(|words| *words != 0) && !of_elements.contains_key(ty) {
            maps.push(map);
            of_elements.insert(*ty, maps.len() as u32);
        }
    }
    PointerMaps { maps, of_elements }
}
