//! Name of an input pointer in C: the access path from a parameter, such as `list->items[2].name`.

use std::collections::{BTreeSet, HashMap, VecDeque};

use tine_trace::plan::{object_id, slot_of};
use tine_types::input::Input;
use tine_types::{Kind, TypeGraph, TypeId};

use crate::graph::Shapes;
use crate::graph::shapes::Cell;

/// Names of structures that have only a `typedef` name.
#[derive(Debug, Default)]
pub(super) struct Names(HashMap<TypeId, String>);

impl Names {
    pub(super) fn of(types: &TypeGraph) -> Names {
        let mut names = HashMap::new();
        for (_, ty) in types.iter() {
            if let (Kind::Typedef { to }, Some(name)) = (&ty.kind, &ty.name)
                && types.get(*to).name.is_none()
            {
                names.entry(*to).or_insert_with(|| name.clone());
            }
        }
        Names(names)
    }

    pub(super) fn get(&self, types: &TypeGraph, ty: TypeId) -> Option<String> {
        types.get(ty).name.clone().or_else(|| self.0.get(&ty).cloned())
    }
}

/// A pointer of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lvalue {
    /// Expression in C.
    pub(super) text: String,
    /// The same expression without element indices.
    pub(super) shape: String,
    /// Pointers on the access path, from the parameter on.
    pub(super) way: Vec<String>,
    pub(super) owner: Owner,
}

/// The variable that holds a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// A parameter, by number.
    Parameter(u32),
    /// A member of these structures, the innermost first.
    Member(Vec<Level>),
    /// An element of an array that is not in a structure.
    Element,
}

/// A structure around a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Level {
    pub(super) ty: TypeId,
    pub(super) name: Option<String>,
    pub(super) offset: u32,
}

/// Maximum number of objects searched for the access path of a pointer.
const MAX_OBJECTS: usize = 4096;

impl Lvalue {
    /// Names the pointer at `wanted`, an input and an offset, if it is reachable from a parameter.
    pub(super) fn of(
        shapes: &Shapes,
        names: &Names,
        inputs: &Input,
        n_parameters: u32,
        wanted: (u32, u32),
    ) -> Option<Lvalue> {
        let parameters = (0..).zip(&inputs.requests).filter(|(_, request)| (1..=n_parameters).contains(&request.ty));
        let mut pending = VecDeque::new();
        for (ordinal, request) in parameters {
            let ty = shapes.root(request.ty)?;
            pending.push_back(Part { input: ordinal, base: 0, ty, name: request.name.clone(), way: Vec::new() });
            if wanted == (ordinal, 0) {
                let owner = Owner::Parameter(request.ty - 1);
                let (text, shape) = (request.name.clone(), request.name.clone());
                return Some(Lvalue { text, shape, way: Vec::new(), owner });
            }
        }
        let mut seen = BTreeSet::new();
        while let Some(part) = pending.pop_front() {
            if part.input == wanted.0
                && let Some(found) = part.name_of(shapes, names, wanted.1)
            {
                return Some(found);
            }
            if seen.len() < MAX_OBJECTS {
                pending.extend(part.next(shapes, names, inputs, &mut seen));
            }
        }
        None
    }
}

/// An input or object, as the target of one pointer.
struct Part {
    input: u32,
    /// Offset that the pointer points to.
    base: u32,
    /// Type of the target; for a parameter its own type.
    ty: TypeId,
    /// Expression of the pointer; for a parameter its name.
    name: String,
    /// Pointers up to and including this one; empty for a parameter.
    way: Vec<String>,
}

impl Part {
    /// Names the pointer at an offset.
    fn name_of(&self, shapes: &Shapes, names: &Names, offset: u32) -> Option<Lvalue> {
        let types = shapes.types();
        let distance = u64::from(offset.checked_sub(self.base)?);
        let (mut text, mut rest) = (self.name.clone(), distance);
        let mut shape = self.name.clone();
        let mut is_pointer = !self.way.is_empty();
        if is_pointer {
            let size = types.size(self.ty).filter(|size| *size > 0)?;
            let index = if shapes.has_tail(self.ty) { 0 } else { distance / size };
            rest = distance - index * size;
            let is_aggregate = matches!(types.kind(types.strip(self.ty)), Kind::Struct { .. } | Kind::Union { .. });
            if index > 0 || !is_aggregate {
                text = if index == 0 { format!("*{text}") } else { format!("{text}[{index}]") };
                shape += "[]";
                is_pointer = false;
            }
        }
        let mut steps = Steps { types, names, text, shape, is_pointer, levels: Vec::new() };
        steps.descend(self.ty, rest)?;
        let Steps { text, shape, mut levels, .. } = steps;
        levels.reverse();
        let owner = if levels.is_empty() { Owner::Element } else { Owner::Member(levels) };
        Some(Lvalue { text, shape, way: self.way.clone(), owner })
    }

    /// Objects that its pointers point to.
    fn next(
        &self,
        shapes: &Shapes,
        names: &Names,
        inputs: &Input,
        seen: &mut BTreeSet<(u32, u32, TypeId)>,
    ) -> Vec<Part> {
        let mut next = Vec::new();
        for (at, cell) in shapes.cells_of(inputs, self.input).iter() {
            let Cell::Pointer { to, .. } = cell else { continue };
            let value = inputs.read(self.input, *at, 64) as u64;
            let Some((slot, offset)) = slot_of(value, inputs.slot_shift) else { continue };
            let Some(object) = inputs.objects.get(&slot) else { continue };
            let base = (offset as u32).wrapping_sub(object.element.start);
            let name = match self.way.is_empty() && *at == 0 {
                true => Some(self.name.clone()),
                false => self.name_of(shapes, names, *at).map(|lvalue| lvalue.text),
            };
            if let Some(name) = name
                && seen.insert((slot, base, *to))
            {
                let way = self.way.iter().cloned().chain([name.clone()]).collect();
                next.push(Part { input: object_id(slot), base, ty: *to, name, way });
            }
        }
        next
    }
}

/// Steps from a type to a pointer inside of it.
struct Steps<'a> {
    types: &'a TypeGraph,
    names: &'a Names,
    text: String,
    shape: String,
    /// The next member is reached by `->`.
    is_pointer: bool,
    levels: Vec<Level>,
}

impl Steps<'_> {
    /// `None` if there is not a pointer at `offset`.
    fn descend(&mut self, ty: TypeId, offset: u64) -> Option<()> {
        let ty = self.types.strip(ty);
        match self.types.kind(ty) {
            Kind::Pointer { .. } => (offset == 0).then_some(()),
            Kind::Struct { members } | Kind::Union { members } => {
                let is_structure = matches!(self.types.kind(ty), Kind::Struct { .. });
                let depth = self.levels.len();
                if is_structure {
                    let name = self.names.get(self.types, ty);
                    self.levels.push(Level { ty, name, offset: offset as u32 });
                }
                let before = (self.text.clone(), self.shape.clone(), self.is_pointer);
                for member in members.iter().filter(|member| member.bits.is_none() && member.offset <= offset) {
                    let is_flexible =
                        matches!(self.types.kind(self.types.strip(member.ty)), Kind::Array { count: None, .. });
                    let size = self.types.size(member.ty).unwrap_or(0);
                    if !is_flexible && offset - member.offset >= size {
                        continue;
                    }
                    if let Some(name) = &member.name {
                        let operator = if self.is_pointer { "->" } else { "." };
                        self.text += &format!("{operator}{name}");
                        self.shape += &format!("{operator}{name}");
                        self.is_pointer = false;
                    }
                    if self.descend(member.ty, offset - member.offset).is_some() {
                        return Some(());
                    }
                    (self.text, self.shape, self.is_pointer) = before.clone();
                    self.levels.truncate(depth + usize::from(is_structure));
                }
                None
            }
            Kind::Array { element, .. } => {
                let size = self.types.size(*element).filter(|size| *size > 0)?;
                self.text += &format!("[{}]", offset / size);
                self.shape += "[]";
                self.descend(*element, offset % size)
            }
            _ => None,
        }
    }
}
