//! The input plan: the bytes that the engine chooses for the unit's inputs.
//!
//! A unit requests inputs one after the other (`tine_symbolic(&x, 4, "x")`). The k-th request gets the plan's k-th
//! bytes. Bytes that the plan does not contain come from the seed, by [`fill`](crate::fill::fill). Pointers among those
//! bytes are addresses of *objects*, which are also in the plan. Object k lies in slot k of the input region
//! ([`object_address`]), and exists before the first request is answered. The unit records every object and every
//! request as an [`InputRecord`] with its actual bytes.
//!
//! ```text
//!   plan area   PlanHeader | PlanRequest × n_inputs | PlanObject × n_objects | Relocation × n_relocations | PointerMap × n_maps | bytes …
//! ```
//! Both sides name an input by its *id*: a request by its ordinal, an object by its slot with [`OBJECT`] set.

use crate::layout::INPUTS_BASE;

/// Kind of an input, which determines how it is printed and written in a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum InputKind {
    /// Bytes without a type of their own.
    Bytes = 0,
    Bool = 1,
    /// Plain `char`.
    Char = 2,
    Signed = 3,
    Unsigned = 4,
    Float = 5,
    Pointer = 6,
    /// A choice among n (`tine_choice`).
    Choice = 7,
    /// An object of the input region: elements of the type given by the engine.
    Object = 8,
    /// Not an input: addresses of the functions that input pointers may point to.
    Functions = 9,
    /// Not an input: a harness begins a call of the function with this name. The following inputs, up to the next such
    /// record, are its arguments. No bytes.
    Call = 10,
    /// Not an input: an argument of the call that is another value, which its name describes. No bytes.
    Passed = 11,
    /// A string: the bytes up to the first zero are used. An argument or an environment variable of a program.
    Text = 12,
    /// A file of a program: four bytes with its size, then as many bytes as its maximum size.
    Contents = 13,
    /// The failing call, in numbers of four bytes. First the chosen place, 0 for none. Then the kind of the call in
    /// [`FAILING`], from 1, and its index among the calls of this kind. Then [`PLACE_FRAMES`] return addresses, as
    /// offsets into the program's file. A recorded run writes all but the first. A replay uses kind and index.
    Failure = 14,
    /// Only in plans: bytes for a request that no run has made yet, of any kind.
    Unseen = 15,
}

/// Number of frames that identify the place of a call. Some are the runtime's and the models', a few remain for the
/// program.
pub const PLACE_FRAMES: usize = 7;

/// Calls that can be made to fail.
pub const FAILING: [&str; 4] = ["allocation", "opening", "read", "write"];

impl InputKind {
    /// All kinds by number, with the names that they have in files.
    pub const ALL: [(InputKind, &str); 16] = [
        (InputKind::Bytes, "bytes"),
        (InputKind::Bool, "bool"),
        (InputKind::Char, "char"),
        (InputKind::Signed, "signed"),
        (InputKind::Unsigned, "unsigned"),
        (InputKind::Float, "float"),
        (InputKind::Pointer, "pointer"),
        (InputKind::Choice, "choice"),
        (InputKind::Object, "object"),
        (InputKind::Functions, "functions"),
        (InputKind::Call, "call"),
        (InputKind::Passed, "passed"),
        (InputKind::Text, "text"),
        (InputKind::Contents, "contents"),
        (InputKind::Failure, "failure"),
        (InputKind::Unseen, "unseen"),
    ];

    /// The kind of a recorded input.
    pub fn from_number(number: u32) -> Option<InputKind> {
        let (kind, _) = Self::ALL.get(number as usize)?;
        (*kind != InputKind::Unseen).then_some(*kind)
    }
}

/// Bit of an input's id that distinguishes objects from requests.
pub const OBJECT: u32 = 1 << 31;
/// Id of the single [`InputKind::Functions`] record.
pub const FUNCTIONS: u32 = u32::MAX;
/// Maximum number of slots for objects: 0 … `MAX_SLOTS - 1`.
pub const MAX_SLOTS: u32 = 4096;

/// Id of the object in a slot.
pub const fn object_id(slot: u32) -> u32 {
    OBJECT | slot
}

/// Address of an object that lies `start` bytes into `slot`. Slots are `1 << shift` bytes apart. Objects start at the
/// start of their slots, unless the path uses more about their addresses than equality.
pub const fn object_address(slot: u32, start: u32, shift: u32) -> u64 {
    INPUTS_BASE + ((slot as u64) << shift) + start as u64
}

/// The slot that contains an address of the input region, and the offset in it.
pub const fn slot_of(address: u64, shift: u32) -> Option<(u32, u64)> {
    let offset = address.wrapping_sub(INPUTS_BASE);
    let slot = offset >> shift;
    if slot < MAX_SLOTS as u64 { Some((slot as u32, offset & ((1 << shift) - 1))) } else { None }
}

/// Start of the plan area.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct PlanHeader {
    pub n_inputs: u32,
    pub n_objects: u32,
    pub n_relocations: u32,
    /// Slots are `1 << slot_shift` bytes apart.
    pub slot_shift: u32,
    pub n_maps: u32,
}

/// Position of an input's bytes, relative to the start of the plan area.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct PlanEntry {
    pub offset: u32,
    pub len: u32,
}

/// Bytes for a request, and a description of that request. Other requests do not get them: a pointer must not receive
/// bytes planned for a number.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct PlanRequest {
    pub bytes: PlanEntry,
    /// Number of an [`InputKind`].
    pub kind: u32,
    /// As in [`InputRecord`], or [`ANY_TYPE`].
    pub ty: u32,
}

/// Type of a planned request whose type is not known.
pub const ANY_TYPE: u32 = u32::MAX;

impl PlanRequest {
    /// True if the bytes are for a request of this kind, type and size.
    pub fn is_for(&self, kind: u32, ty: u32, size: u64) -> bool {
        const BUFFERS: [InputKind; 4] = [InputKind::Bytes, InputKind::Text, InputKind::Contents, InputKind::Failure];
        let is_buffer = ty == 0 && BUFFERS.iter().any(|buffer| *buffer as u32 == kind);
        self.kind == InputKind::Unseen as u32
            || self.kind == kind
                && (self.ty == ty || self.ty == ANY_TYPE)
                && (is_buffer || u64::from(self.bytes.len) == size)
    }
}

/// An object of the input region, in order of their slots.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct PlanObject {
    pub slot: u32,
    /// Offset in its slot.
    pub start: u32,
    /// Maximum size in bytes; bytes beyond `bytes` come from the seed.
    pub extent: u32,
    /// Size of one element in bytes.
    pub element: u32,
    pub bytes: PlanEntry,
    /// Bits of `TEXT`, `CHARACTERS`, `ZERO_FILL`.
    pub flags: u32,
    /// Number of the [`PointerMap`] of its elements, from 1; 0 if none.
    pub map: u32,
}

/// Pointers among the words of an input, and the alignment of the objects that they may point to, at any address. The
/// map with the number of a request's type belongs to that request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct PointerMap {
    /// A bit for each of the first [`MAPPED_WORDS`] words: it is a pointer. Its bytes are one variable, independent of
    /// the width of the first read.
    pub pointers: [u64; MAPPED_WORDS as usize / 64],
    /// A bit for each of the first 64 words: at least one, two, three or four low bits are 0 in every address that the
    /// pointer may hold.
    pub zeros: [u64; 4],
    /// Number of bytes after which the map repeats; 0 if it does not.
    pub size: u64,
}

/// Maximum number of words of an element whose pointers are known.
pub const MAPPED_WORDS: u32 = 512;

impl PointerMap {
    /// Number of low bits of an address in the word at `offset` that are 0. `None` if the word is not a pointer.
    pub fn low_zeros(&self, offset: u32) -> Option<u32> {
        let offset = self.in_element(offset);
        let word = offset / 8;
        if !offset.is_multiple_of(8) || self.pointers.get(word as usize / 64)? >> (word % 64) & 1 == 0 {
            return None;
        }
        if word >= 64 {
            return Some(0);
        }
        Some(self.zeros.iter().take_while(|words| **words >> word & 1 != 0).count() as u32)
    }

    /// The same offset in the first element.
    fn in_element(&self, offset: u32) -> u64 {
        let offset = u64::from(offset);
        if self.size == 0 { offset } else { offset % self.size }
    }

    /// Distance from `offset` back to the start of the pointer that contains this byte. `None` if there is no pointer.
    pub fn into_pointer(&self, offset: u32) -> Option<u32> {
        let into = (self.in_element(offset) % 8) as u32;
        self.low_zeros(offset.checked_sub(into)?).map(|_| into)
    }
}

/// Flag in the immediate of an `Input` node: its bytes are a pointer. The bits below are [`PointerMap::low_zeros`].
pub const POINTER_WORD: u32 = 8;

/// Flag: the last byte of the object's extent is a 0 that terminates a string. It is not an input, but a bound.
pub const TEXT: u32 = 1;
/// Flag: the object consists of characters, signed or not. C allows them to lie in the bytes of any other object.
pub const CHARACTERS: u32 = 2;
/// Flag: bytes that the plan does not contain are 0, for any seed. Also a bit of `kind` in requests.
pub const ZERO_FILL: u32 = 1 << 8;

/// Eight bytes that hold the address of function `function` of those announced by the unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(C)]
pub struct Relocation {
    /// Id of a request or an object.
    pub input: u32,
    pub offset: u32,
    pub function: u32,
}

/// An input that the unit requested or an object that was laid out, 32 bytes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct InputRecord {
    /// Number of an [`InputKind`].
    pub kind: u32,
    pub size: u32,
    /// Offset of its bytes in the input-bytes area.
    pub first_byte: u32,
    /// Its name in the names area.
    pub name_offset: u32,
    pub name_len: u32,
    /// Number of possibilities of a choice, otherwise 0.
    pub choices: u32,
    /// Ordinal of the request, or slot of the object with [`OBJECT`] set.
    pub id: u32,
    /// Number of the harness variable with the same type, from 1; 0 if none.
    pub ty: u32,
}

const _: () = assert!(size_of::<InputRecord>() == 32);
