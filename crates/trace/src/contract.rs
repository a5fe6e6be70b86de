//! Contracts of the C library that are checked before a call: operands of the entry point `contract`.
//!
//! ```text
//!   fgets(line, n, file)      Writes line, n, 1     Stream file
//!   printf(format, x, y)      Text format           Argument 0 of x     Argument 1 of y     Arguments 2
//! ```

/// A condition. `a` to `d` are the operands of `contract`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Contract {
    /// `b` times `c` bytes at `a` can be read.
    Reads = 1,
    /// `b` times `c` bytes at `a` can be written.
    Writes = 2,
    /// `a` is a string whose characters have `c` bytes. It ends within `b` characters, or nothing after them is read.
    Text = 3,
    /// `c` bytes at `a` and at `b` do not overlap. They may be the same bytes.
    Apart = 4,
    /// A string at `b` is copied to `a`, or to the end of the string at `a` if `c` is not 0. They do not overlap.
    TextApart = 5,
    /// A stream or directory that is open.
    Stream = 6,
    /// `c` bytes at `a` are filled, or copied from `b` unless it is 0. There is enough room, if `c` depends on inputs or is more than [`LONG`].
    Fills = 7,
    /// The format `a` has an argument of the kind and number in `b` ([`argument`]). Its value is `c`, the value before
    /// it `d`.
    Argument = 8,
    /// The format `a` needs at most `b` arguments.
    Arguments = 9,
    /// `b` bytes are written to an array of `c` bytes at `a`, after which its structure has other members.
    Member = 10,
}

impl Contract {
    /// The contract with this number.
    pub fn from_number(number: u32) -> Option<Contract> {
        use Contract::{Apart, Argument, Arguments, Fills, Member, Reads, Stream, Text, TextApart, Writes};
        let all = [Reads, Writes, Text, Apart, TextApart, Stream, Fills, Argument, Arguments, Member];
        all.into_iter().find(|contract| *contract as u32 == number & 0xff)
    }
}

/// Flag of a contract: the pointer may be null.
pub const OPTIONAL: u32 = 1 << 8;
/// Flag of `Argument` and `Arguments`: the format is one of `scanf`.
pub const SCANS: u32 = 1 << 9;
/// The same: its characters are wide.
pub const WIDE: u32 = 1 << 10;

/// Flag of `Argument`: the function is the library's own, so the number that `%n` stores is not followed.
pub const NOT_FOLLOWED: u32 = 1 << 11;

/// Maximum size of a copy or fill that is not checked in advance.
pub const LONG: u64 = 1 << 16;

/// Kind of an argument of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    Other = 0,
    Word = 1,
    Long = 2,
    Double = 3,
    LongDouble = 4,
    Pointer = 5,
}

impl Kind {
    /// The kind with this number.
    pub fn from_number(number: u64) -> Kind {
        use Kind::{Double, Long, LongDouble, Other, Pointer, Word};
        let all = [Word, Long, Double, LongDouble, Pointer];
        all.into_iter().find(|kind| *kind as u64 == number & 0xff).unwrap_or(Other)
    }
}

/// Kind and number of an argument.
pub const fn argument(number: u64, kind: Kind) -> u64 {
    number << 8 | kind as u64
}
