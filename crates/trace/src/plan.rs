//! The input plan: what the engine wants the unit's inputs to be.
//!
//! A unit asks for inputs one after the other (`tine_symbolic(&x, 4, "x")`); the k-th request gets the
//! plan's k-th bytes. What the plan does not say comes from the seed, by [`fill`]. The unit writes down
//! every request as an [`InputRecord`] with the bytes it really got.
//!
//! ```text
//!   plan area   n_inputs u32 | pad u32 | (offset u32, len u32) × n_inputs | bytes …
//! ```

/// What an input is for its reader: how to print it and how to write it down in a test.
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
}

impl InputKind {
    pub fn from_number(number: u32) -> Option<InputKind> {
        Some(match number {
            0 => InputKind::Bytes,
            1 => InputKind::Bool,
            2 => InputKind::Char,
            3 => InputKind::Signed,
            4 => InputKind::Unsigned,
            5 => InputKind::Float,
            6 => InputKind::Pointer,
            7 => InputKind::Choice,
            _ => return None,
        })
    }
}

/// Start of the plan area.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct PlanHeader {
    pub n_inputs: u32,
    pub _pad: u32,
}

/// Where an input's bytes lie, relative to the start of the plan area.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct PlanEntry {
    pub offset: u32,
    pub len: u32,
}

/// An input that the unit asked for, 32 bytes. Its ordinal is its index.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct InputRecord {
    /// Number of an [`InputKind`].
    pub kind: u32,
    pub size: u32,
    /// Where its bytes lie in the input-bytes area.
    pub first_byte: u32,
    /// Its name in the names area.
    pub name_offset: u32,
    pub name_len: u32,
    /// Number of alternatives of a choice, else 0.
    pub choices: u32,
    pub _pad: [u32; 2],
}

const _: () = assert!(size_of::<InputRecord>() == 32);

/// The byte at `offset` of input `ordinal` where the plan says nothing. Seed 0 means zeros.
pub const fn fill(seed: u64, ordinal: u32, offset: u32) -> u8 {
    if seed == 0 {
        return 0;
    }
    // splitmix64 over (seed, ordinal, word); all bytes of a word come from one draw.
    let mut z = seed ^ ((ordinal as u64) << 32 | (offset / 8) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    (z >> (offset % 8 * 8)) as u8
}
