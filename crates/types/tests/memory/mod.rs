//! Memory to decode: objects at made-up addresses with given contents.

use std::ops::Range;

use tine_types::map::{InputMap, ObjectId, RawObject, RawRoot, Target, Untouched, decode};
use tine_types::{Program, TypeId};

use super::common::compile;

/// Address of the function `handler`.
const HANDLER: u64 = 0x40;

/// Memory whose roots are the parameters of `f` in the source.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    program: Program,
    roots: Vec<Cells>,
    objects: Vec<(TypeId, bool, Cells)>,
}

#[derive(Clone, Debug, Default)]
struct Cells {
    bytes: Vec<u8>,
    touched: Vec<Range<u32>>,
}

/// Bytes, and a flag that the run read them.
#[derive(Clone, Debug)]
pub(crate) struct Cell(Vec<u8>, bool);

impl Cell {
    pub(crate) fn untouched(self) -> Cell {
        Cell(self.0, false)
    }
}

pub(crate) fn int(value: i32) -> Cell {
    raw(&value.to_le_bytes())
}

pub(crate) fn raw(bytes: &[u8]) -> Cell {
    Cell(bytes.to_vec(), true)
}

pub(crate) fn pad(count: usize) -> Cell {
    Cell(vec![0xaa; count], false)
}

pub(crate) fn null() -> Cell {
    raw(&[0; 8])
}

pub(crate) fn to(object: u64) -> Cell {
    into(object, 0)
}

/// A pointer to a byte of an object.
pub(crate) fn into(object: u64, offset: u64) -> Cell {
    raw(&((object + 1) * 0x10000 + offset).to_le_bytes())
}

pub(crate) fn handler() -> Cell {
    raw(&HANDLER.to_le_bytes())
}

impl Memory {
    pub(crate) fn of(source: &str) -> Memory {
        Memory { program: compile("unit.c", source, &[]), roots: Vec::new(), objects: Vec::new() }
    }

    pub(crate) fn root(mut self, cells: &[Cell]) -> Memory {
        self.roots.push(join(cells));
        self
    }

    /// Adds an object; `element` is its type in C.
    pub(crate) fn object(mut self, element: &str, cells: &[Cell]) -> Memory {
        let types = &self.program.types;
        let element = types.iter().map(|(id, _)| id).find(|id| types.describe(*id) == element).expect("a known type");
        self.objects.push((element, false, join(cells)));
        self
    }

    pub(crate) fn text(mut self, cells: &[Cell]) -> Memory {
        self = self.object("char", cells);
        self.objects.last_mut().expect("just added").1 = true;
        self
    }

    pub(crate) fn map(&self, untouched: Untouched) -> InputMap {
        let params = &self.program.function("f").expect("an `f`").params;
        assert_eq!(params.len(), self.roots.len(), "a value for each parameter");
        let roots: Vec<RawRoot<'_>> =
            params.iter().zip(&self.roots).map(|(param, cells)| raw_root(param, cells)).collect();
        let objects: Vec<RawObject<'_>> = (0..)
            .zip(&self.objects)
            .map(|(id, (element, is_text, cells))| raw_object(id, *element, *is_text, cells))
            .collect();
        decode(&self.program.types, &roots, &objects, &resolve, untouched)
    }
}

fn raw_root<'a>(param: &'a tine_types::program::Parameter, cells: &'a Cells) -> RawRoot<'a> {
    let name = param.name.as_deref().expect("a name");
    RawRoot { name, ty: param.ty, bytes: &cells.bytes, touched: &cells.touched }
}

fn raw_object(id: u32, element: TypeId, is_text: bool, cells: &Cells) -> RawObject<'_> {
    RawObject { id: ObjectId(id), element, is_text, bytes: &cells.bytes, touched: &cells.touched }
}

fn resolve(address: u64) -> Option<Target> {
    match address {
        HANDLER => Some(Target::Function("handler".to_owned())),
        0..0x10000 => None,
        _ => Some(Target::Object { id: ObjectId((address / 0x10000 - 1) as u32), offset: address % 0x10000 }),
    }
}

fn join(cells: &[Cell]) -> Cells {
    let mut joined = Cells::default();
    for Cell(bytes, touched) in cells {
        let start = joined.bytes.len() as u32;
        joined.bytes.extend(bytes);
        if *touched {
            joined.touched.push(start..joined.bytes.len() as u32);
        }
    }
    joined
}
