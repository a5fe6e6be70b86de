//! Layouts of types as tables in C: the bytes of an object that are numbers, pointers and padding (`struct tine_type`
//! in compare.c).

use std::collections::HashMap;
use std::fmt::Write as _;

use tine_types::{Kind, Program, ScalarKind, TypeId};

// Values as in compare.c.
const PADDING: u16 = 0;
const FURTHER: u16 = 1;
const SIGNED: u16 = 2;
const UNSIGNED: u16 = 3;
const POINTER: u16 = 4;
const ANYTHING: u16 = 0xffff;

/// Size above which types are compared without their layout.
const MAX_SIZE: u64 = 1 << 14;
/// Maximum number of types of one program.
const MAX_TYPES: usize = 1000;

#[derive(Debug)]
struct Layout {
    repeats: bool,
    bytes: Vec<u16>,
}

/// Layouts by number. Number 0 is the layout of unknown types.
#[derive(Debug)]
pub(super) struct Layouts<'a> {
    program: &'a Program,
    numbers: HashMap<TypeId, usize>,
    known: Vec<Layout>,
}

impl<'a> Layouts<'a> {
    pub(super) fn new(program: &'a Program) -> Layouts<'a> {
        Layouts { program, numbers: HashMap::new(), known: Vec::new() }
    }

    /// The number of the layout of a type, or of the elements of an array.
    pub(super) fn number(&mut self, ty: TypeId) -> usize {
        let types = &self.program.types;
        let mut ty = types.strip(ty);
        while let Kind::Array { element, .. } = types.kind(ty) {
            ty = types.strip(*element);
        }
        if let Some(number) = self.numbers.get(&ty) {
            return *number;
        }
        // Byte buffers may hold anything.
        let is_known =
            matches!(types.kind(ty), Kind::Struct { .. } | Kind::Pointer { .. }) || types.scalar(ty).is_some();
        let size = types.size(ty).filter(|size| is_known && (2..=MAX_SIZE).contains(size));
        let Some(size) = size.filter(|_| self.known.len() < MAX_TYPES) else { return 0 };
        self.known.push(Layout { repeats: !self.may_be_longer(ty), bytes: Vec::new() });
        let number = self.known.len();
        self.numbers.insert(ty, number);
        let mut bytes = vec![PADDING; size as usize];
        self.fill(ty, 0, &mut bytes);
        self.known[number - 1].bytes = bytes;
        number
    }

    /// True for a structure whose last member is an array: an object may have more elements than that.
    fn may_be_longer(&self, ty: TypeId) -> bool {
        let types = &self.program.types;
        let Kind::Struct { members } = types.kind(ty) else { return false };
        members.last().is_some_and(|last| matches!(types.kind(types.strip(last.ty)), Kind::Array { .. }))
    }

    fn fill(&mut self, ty: TypeId, start: u64, bytes: &mut [u16]) {
        let program = self.program;
        let types = &program.types;
        let ty = types.strip(ty);
        let size = types.size(ty).unwrap_or(0);
        let mut set = |first: u16, further: u16| {
            for offset in 0..size {
                if let Some(byte) = bytes.get_mut((start + offset) as usize) {
                    *byte = if offset == 0 { first } else { further };
                }
            }
        };
        match types.kind(ty) {
            Kind::Pointer { to } => {
                set(ANYTHING, FURTHER);
                let number = self.number(*to) as u16;
                bytes[start as usize] = POINTER + number;
            }
            Kind::Struct { members } => {
                for member in members {
                    match member.bits {
                        Some(bits) => {
                            let n = u64::from(bits.offset) + u64::from(bits.size);
                            let covered = start + member.offset..start + member.offset + n.div_ceil(8);
                            covered.for_each(|at| bytes[at as usize] = UNSIGNED);
                        }
                        None => self.fill(member.ty, start + member.offset, bytes),
                    }
                }
            }
            Kind::Array { element, count } => {
                let step = types.size(*element).unwrap_or(0);
                for index in 0..count.unwrap_or(0) {
                    self.fill(*element, start + index * step, bytes);
                }
            }
            _ => match types.scalar(ty).map(|scalar| scalar.kind) {
                Some(ScalarKind::Signed | ScalarKind::Char) => set(SIGNED, FURTHER),
                Some(_) => set(UNSIGNED, FURTHER),
                None => set(ANYTHING, ANYTHING),
            },
        }
    }

    /// The tables in C.
    pub(super) fn definitions(&self) -> String {
        let mut text = String::new();
        for (index, layout) in self.known.iter().enumerate() {
            let bytes: Vec<String> = layout.bytes.iter().map(u16::to_string).collect();
            let _ = writeln!(text, "static const unsigned short tine_bytes_{index}[] = {{{}}};", bytes.join(","));
        }
        text += "static const struct tine_type tine_types[] = {{0, 0, 0}";
        for (index, layout) in self.known.iter().enumerate() {
            let _ = write!(text, ", {{{}, {}, tine_bytes_{index}}}", layout.bytes.len(), u32::from(layout.repeats));
        }
        text + "};\n"
    }
}
