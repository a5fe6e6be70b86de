//! Reads a [`Program`] from the DWARF of an ELF object or executable.
//!
//! `sections` loads the bytes, `entries` finds functions and variables, and `types` turns entries into nodes of
//! the graph. Nothing here assumes C: constructs that C does not have become a member, a qualified name or an
//! unsupported type with a description.

mod entries;
mod sections;
mod types;

use std::collections::HashMap;

use gimli::{AttributeValue, DebuggingInformationEntry, EndianSlice, LittleEndian, UnitOffset};

use crate::graph::{Kind, Tag, Type, TypeId};
use crate::program::Program;

/// Reason why debug information cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("not an object file: {0}")]
    Object(#[from] object::Error),
    #[error("no debug information; compile with `-g`")]
    NoDebugInfo,
    #[error("section {0} is compressed; compile without `-gz`")]
    Compressed(&'static str),
    #[error("debug information is split off; compile without `-gsplit-dwarf`")]
    Split,
    #[error("malformed debug information: {0}")]
    Dwarf(#[from] gimli::Error),
}

/// Reads the program that `object` describes, the bytes of an ELF file.
pub fn read(object: &[u8]) -> Result<Program, Error> {
    let mut program = Program::default();
    read_into(&mut program, object)?;
    Ok(program)
}

/// Adds another object of the same program. A struct that is declared here and defined there then gets its members.
pub fn read_into(program: &mut Program, object: &[u8]) -> Result<(), Error> {
    let sections = sections::load(object)?;
    let dwarf = sections.borrow(|bytes| EndianSlice::new(bytes, LittleEndian));
    let mut units = Vec::new();
    let mut headers = dwarf.units();
    while let Some(header) = headers.next()? {
        let unit = dwarf.unit(header)?;
        if matches!(unit.header.type_(), gimli::UnitType::Skeleton(_)) || unit.dwo_name()?.is_some() {
            return Err(Error::Split);
        }
        units.push(unit);
    }
    if units.is_empty() {
        return Err(Error::NoDebugInfo);
    }
    let mut reader = Reader {
        dwarf: &dwarf,
        units: &units,
        program,
        ids: HashMap::new(),
        pending: Vec::new(),
        vectors: Vec::new(),
        functions: HashMap::new(),
    };
    for unit in 0..units.len() {
        reader.read_unit(unit)?;
    }
    reader.read_pending_types()?;
    reader.program.types.finish();
    reader.size_vectors();
    Ok(())
}

type Slice<'d> = EndianSlice<'d, LittleEndian>;
type Unit<'d> = gimli::Unit<Slice<'d>>;
type Entry<'d> = DebuggingInformationEntry<Slice<'d>>;

/// Position of an entry: the index of its unit and the offset in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    unit: usize,
    offset: usize,
}

struct Reader<'a, 'd> {
    dwarf: &'a gimli::Dwarf<Slice<'d>>,
    units: &'a [Unit<'d>],
    program: &'a mut Program,
    ids: HashMap<Place, TypeId>,
    /// Types that have an ID but have not been read yet. A list instead of recursion, because chains of structs that
    /// point to each other get long.
    pending: Vec<(Place, TypeId)>,
    /// Vector types, whose size is set once their elements have one.
    vectors: Vec<(TypeId, TypeId, u64)>,
    /// Index of each function in the program, by the entry that names it.
    functions: HashMap<Place, usize>,
}

impl<'d> Reader<'_, 'd> {
    fn read_pending_types(&mut self) -> Result<(), Error> {
        while let Some((place, id)) = self.pending.pop() {
            let ty = self.read_type(place, id)?;
            self.program.types.replace(id, ty);
        }
        Ok(())
    }

    /// ID of the type at `place`.
    fn type_at(&mut self, place: Place) -> TypeId {
        if let Some(id) = self.ids.get(&place) {
            return *id;
        }
        let placeholder = Type { name: None, size: None, kind: Kind::Opaque { tag: Tag::Struct } };
        let id = self.program.types.add(placeholder);
        self.ids.insert(place, id);
        self.pending.push((place, id));
        id
    }

    /// The type that `entry` refers to. An entry without one means `void`.
    fn type_of(&mut self, unit: usize, entry: &Entry<'d>) -> TypeId {
        match entry.attr_value(gimli::DW_AT_type) {
            None => TypeId::VOID,
            Some(value) => match self.place(unit, &value) {
                Some(place) => self.type_at(place),
                None => self.program.types.add(Type {
                    name: None,
                    size: None,
                    kind: Kind::Unsupported("type of another debug file".into()),
                }),
            },
        }
    }

    fn place(&self, unit: usize, reference: &AttributeValue<Slice<'d>>) -> Option<Place> {
        match reference {
            AttributeValue::UnitRef(offset) => Some(Place { unit, offset: offset.0 }),
            AttributeValue::DebugInfoRef(offset) => {
                let start = |unit: &Unit<'d>| unit.header.debug_info_offset().map_or(0, |start| start.0);
                let unit = self.units.partition_point(|unit| start(unit) <= offset.0).checked_sub(1)?;
                Some(Place { unit, offset: offset.to_unit_offset(&self.units[unit].header)?.0 })
            }
            _ => None,
        }
    }

    fn entry(&self, place: Place) -> Result<Entry<'d>, Error> {
        Ok(self.units[place.unit].entry(UnitOffset(place.offset))?)
    }

    fn children(&self, place: Place) -> Result<Vec<Entry<'d>>, Error> {
        let mut tree = self.units[place.unit].entries_tree(Some(UnitOffset(place.offset)))?;
        let mut nodes = tree.root()?.children();
        let mut children = Vec::new();
        while let Some(node) = nodes.next()? {
            children.push(node.entry().clone());
        }
        Ok(children)
    }

    fn text(&self, unit: usize, entry: &Entry<'d>, attribute: gimli::DwAt) -> Result<Option<String>, Error> {
        let Some(value) = entry.attr_value(attribute) else { return Ok(None) };
        let text = self.dwarf.attr_string(&self.units[unit], value)?;
        Ok(Some(text.to_string_lossy().into_owned()))
    }

    fn name(&self, unit: usize, entry: &Entry<'d>) -> Result<Option<String>, Error> {
        self.text(unit, entry, gimli::DW_AT_name)
    }
}

fn number(entry: &Entry<'_>, attribute: gimli::DwAt) -> Option<u64> {
    entry.attr(attribute)?.udata_value()
}

fn flag(entry: &Entry<'_>, attribute: gimli::DwAt) -> bool {
    matches!(entry.attr_value(attribute), Some(AttributeValue::Flag(true)))
}
