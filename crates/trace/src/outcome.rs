//! Outcome of a run, and the kinds of error that a run can show.

use crate::check::Check;

macro_rules! error_kinds {
    ($( $name:ident = $number:literal $text:literal $check:ident $stops:ident $about:literal )*) => {
        /// Kind of an error of the program.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum ErrorKind { $( #[doc = $about] $name = $number ),* }

        impl ErrorKind {
            /// All kinds.
            pub const ALL: &'static [ErrorKind] = &[ $( ErrorKind::$name ),* ];

            /// Name in reports and `//~ ERROR` annotations.
            pub const fn text(self) -> &'static str {
                match self { $( ErrorKind::$name => $text ),* }
            }

            /// Explanation for the reference.
            pub const fn about(self) -> &'static str {
                match self { $( ErrorKind::$name => $about ),* }
            }

            /// The check that detects it.
            pub const fn check(self) -> Check {
                match self { $( ErrorKind::$name => Check::$check ),* }
            }

            /// True if the run stops at a failed check of this kind. After other kinds it continues like the native
            /// program: their result is defined by the machine, if not by C.
            pub const fn stops(self) -> bool {
                match self { $( ErrorKind::$name => stops!($stops) ),* }
            }
        }
    };
}
macro_rules! stops {
    (stops) => {
        true
    };
    (goes_on) => {
        false
    };
}

error_kinds! {
    AssertionFailure = 1 "assertion failure" Assert stops "An `assert`, `tine_assert` or assertion of another tool's interface does not hold."
    ReachError = 2 "reach_error" Assert stops "`reach_error()` was called, as in Test-Comp programs."
    Abort = 3 "abort" Abort stops "`abort` was called, or a library ended the program with it."
    DivisionByZero = 4 "division by zero" Division stops "An integer was divided by zero, also by `%`."
    DivisionOverflow = 5 "division overflow" Division stops "The result of a division does not fit its type (`INT_MIN / -1`). The machine traps."
    SignedOverflow = 6 "signed integer overflow" SignedOverflow goes_on "The result of a signed operation does not fit its type."
    Shift = 7 "invalid shift" Shift goes_on "A shift count is negative or not smaller than the width, or a signed value is shifted out of its type."
    ArrayBounds = 8 "array index out of bounds" Bounds stops "An index is outside of its array, or an index that depends on the input leaves its object."
    NullPointer = 9 "null pointer dereference" Null stops "A null pointer was dereferenced."
    Misaligned = 10 "misaligned access" Alignment goes_on "A pointer is not aligned as its type requires."
    InvalidValue = 11 "invalid bool or enum value" Bool goes_on "A `bool` or enumeration holds a value that its type does not have."
    InvalidBuiltin = 12 "invalid argument of a builtin" Undefined stops "A compiler builtin was called with an argument that it does not define, such as `__builtin_clz(0)`."
    NullArgument = 13 "null passed where non-null is required" Null stops "`NULL` was passed to a parameter declared as non-null."
    NullReturn = 14 "null returned where non-null is required" Null stops "A function declared to return non-null returned `NULL`."
    VlaBound = 15 "variable-length array of non-positive size" Undefined stops "A variable-length array has a size of zero or less."
    Unreachable = 16 "unreachable code reached" Undefined stops "Code marked as unreachable was reached."
    MissingReturn = 17 "missing return value" Undefined stops "A function that returns a value ended without one, and the value was used."
    FloatCast = 18 "float out of the integer's range" FloatCast goes_on "A floating-point value does not fit the integer type it is converted to."
    PointerOverflow = 19 "pointer overflow" Undefined goes_on "Pointer arithmetic wrapped around. Checked only if the unit is compiled with that check."
    EndlessLoop = 20 "endless loop" Loop stops "The run exceeded its time limit, also without tracing."
    StackOverflow = 21 "stack overflow" StackOverflow stops "The stack is exhausted, usually by recursion."
    OutOfMemory = 22 "out of memory" Resources stops "The run needs more memory than `--memory`."
    OutputLimit = 23 "too much output" Resources stops "The run printed more than tine stores."
    InvalidAccess = 24 "invalid memory access" Signal stops "The processor reported an invalid address (SIGSEGV, SIGBUS) that no check foresaw."
    ArithmeticTrap = 25 "arithmetic trap" Signal stops "The processor reported an arithmetic exception (SIGFPE) that no check foresaw."
    IllegalInstruction = 26 "illegal instruction" Signal stops "The processor reported an illegal instruction or trap (SIGILL, SIGTRAP)."
    Signal = 27 "killed by a signal" Signal stops "Another signal ended the process."
    OtherUndefined = 28 "undefined behaviour" Undefined goes_on "Undefined behaviour that has no kind of its own."
    PostconditionFailure = 29 "postcondition failure" Assert stops "A function given by `--ensures` returned 0."
    MissingFunction = 30 "call of an undefined function" Undefined stops "An undefined function was called."
    InvalidFree = 31 "invalid free" Free stops "`free` or `realloc` received a pointer that is not the start of a live heap object."
    OutOfBoundsRead = 33 "out-of-bounds read" Bounds stops "The program read memory before or after an object."
    OutOfBoundsWrite = 34 "out-of-bounds write" Bounds stops "The program wrote memory before or after an object."
    UseAfterFree = 35 "use after free" UseAfterFree stops "The program used an object that it had freed."
    UseAfterScope = 37 "use after scope" UseAfterScope stops "The program used a variable after its scope had ended."
    UseAfterReturn = 38 "use after return" UseAfterScope stops "The program used a local variable after its function had returned."
    DoubleFree = 36 "double free" Free stops "The program freed an object twice."
    Uninitialised = 39 "uninitialised read" Uninitialised stops "A value that the program never wrote decides a branch, an address or a size."
    Leak = 40 "memory leak" Leak goes_on "Memory that nothing points to any more was not freed. Checked with `--check +leak`. The place is that of the allocation."
    UnsignedOverflow = 41 "unsigned integer overflow" UnsignedOverflow goes_on "The result of an unsigned operation does not fit its type and wraps around. Checked with `--check +unsigned-overflow`."
    Narrowing = 42 "value changed by a conversion" Narrowing goes_on "An implicit conversion between integers changed the value. Checked with `--check +narrowing`."
    Overlap = 43 "overlapping copy" Library stops "The source and the destination of a copy overlap, where the function does not allow it (`memcpy`, `strcpy`)."
    ClosedStream = 44 "use of a closed stream" Library stops "A stream or directory was used or closed again after it had been closed."
    InvalidFormat = 45 "format does not fit its arguments" Library stops "A format of `printf` or `scanf` needs more arguments than the call has, or an argument of another type."
    Specification = 60 "specification violated" Specification stops "The events of the run violate a property of a specification (`--spec`)."
    Difference = 61 "difference" Specification stops "Two versions of a function behave differently (`tine compare`)."
    Blocked = 32 "blocked forever" Loop stops "The run waits for something that cannot happen: no other thread computes, and no timer is set."
}

impl ErrorKind {
    /// True if the machine does not detect it, or only by chance: the program continues.
    pub const fn goes_unnoticed(self) -> bool {
        use ErrorKind::{
            ClosedStream, DoubleFree, InvalidFormat, Leak, OutOfBoundsRead, OutOfBoundsWrite, Overlap, Specification,
            Uninitialised, UseAfterFree, UseAfterReturn, UseAfterScope,
        };
        matches!(
            self,
            OutOfBoundsRead
                | OutOfBoundsWrite
                | UseAfterFree
                | UseAfterScope
                | UseAfterReturn
                | DoubleFree
                | Uninitialised
                | Leak
                | Overlap
                | ClosedStream
                | InvalidFormat
                | Specification
        )
    }

    /// True if the program ends because of it, also without a check.
    pub const fn ends_program(self) -> bool {
        use ErrorKind::{
            Abort, ArithmeticTrap, AssertionFailure, Blocked, EndlessLoop, IllegalInstruction, InvalidAccess,
            MissingFunction, MissingReturn, OutOfMemory, OutputLimit, PostconditionFailure, ReachError, Signal,
            StackOverflow, Unreachable,
        };
        matches!(
            self,
            Abort
                | ArithmeticTrap
                | AssertionFailure
                | Blocked
                | EndlessLoop
                | IllegalInstruction
                | InvalidAccess
                | MissingFunction
                | MissingReturn
                | OutOfMemory
                | OutputLimit
                | PostconditionFailure
                | ReachError
                | Signal
                | StackOverflow
                | Unreachable
        )
    }

    /// The kind with this number.
    pub fn from_number(number: u32) -> Option<ErrorKind> {
        ErrorKind::ALL.iter().copied().find(|kind| *kind as u32 == number)
    }
}

/// `code` of [`OutcomeKind::OutOfMemory`] for a run that ended with an error after an allocation had been refused
/// ([`crate::event::NoteKind::MemoryRefused`]).
pub const MEMORY_REFUSED: u32 = 1;

/// Outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum OutcomeKind {
    /// Still running, or killed before an outcome was written.
    Unfinished = 0,
    /// `exit` was called, or `main` returned; `code` is the exit code. For a unit: the function returned.
    Exited = 1,
    /// An assumption does not hold for this input: neither a path nor an error.
    Rejected = 2,
    /// A check or an assertion failed; `code` is an [`ErrorKind`], `site` the place.
    Failed = 3,
    /// A signal; `code` is its number, `frames` the position.
    Signal = 4,
    /// The stack exceeded its guard page.
    StackOverflow = 5,
    /// The allocator reached its limit.
    OutOfMemory = 6,
    /// The time limit of the run was exceeded; `frames` is the position at that moment.
    Timeout = 7,
}

impl OutcomeKind {
    /// The kind with this number.
    pub fn from_number(number: u32) -> Option<OutcomeKind> {
        Some(match number {
            0 => OutcomeKind::Unfinished,
            1 => OutcomeKind::Exited,
            2 => OutcomeKind::Rejected,
            3 => OutcomeKind::Failed,
            4 => OutcomeKind::Signal,
            5 => OutcomeKind::StackOverflow,
            6 => OutcomeKind::OutOfMemory,
            7 => OutcomeKind::Timeout,
            _ => return None,
        })
    }
}

/// Kind of memory that an object lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Storage {
    Heap = 1,
    Stack = 2,
    Static = 3,
    /// Made for an input.
    Input = 4,
}

impl Storage {
    /// The kind of storage with this number.
    pub fn from_number(number: u32) -> Option<Storage> {
        use Storage::{Heap, Input, Stack, Static};
        [Heap, Stack, Static, Input].into_iter().find(|storage| *storage as u32 == number)
    }
}

/// Memory access that an error refers to: accessed bytes in an object, or beside it.
///
/// For [`ErrorKind::Specification`], `offset` and `len` are a string in the area Names: the message, the file and the
/// function of a call, separated by null characters. `size` is the line of that call, or 0 if the place is the one
/// where the program stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Fault {
    /// Number of bytes accessed.
    pub size: u64,
    /// Their offset from the start of the object.
    pub offset: i64,
    /// Size of the object in bytes.
    pub len: u64,
    /// Number of a [`Storage`]; 0 if the object is not known.
    pub storage: u32,
    /// Sites where the object was allocated and freed: a [`crate::event::Site`] plus one, or 0.
    pub allocated: u32,
    pub freed: u32,
    pub writes: u32,
}

/// Operation that a check refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Operation {
    Add = 1,
    Subtract = 2,
    Multiply = 3,
    Divide = 4,
    Remainder = 5,
    ShiftLeft = 6,
    ShiftRight = 7,
    /// `a` is the index, `b` the number of elements.
    Index = 8,
    /// `a` is the size of an array.
    Size = 9,
}

impl Operation {
    /// The operation with this number.
    pub fn from_number(number: u8) -> Option<Operation> {
        use Operation::{Add, Divide, Index, Multiply, Remainder, ShiftLeft, ShiftRight, Size, Subtract};
        let all = [Add, Subtract, Multiply, Divide, Remainder, ShiftLeft, ShiftRight, Index, Size];
        all.into_iter().find(|operation| *operation as u8 == number)
    }
}

/// Operation that a check refused, with its operands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Refused {
    /// See [`Refused::pack`]; 0 if the operands are not known.
    pub how: u32,
    pub _pad: u32,
    pub a: u64,
    pub b: u64,
}

impl Refused {
    /// Number for an operation, the width of its operands and their signedness.
    pub const fn pack(operation: Operation, width: u32, is_signed: bool) -> u32 {
        operation as u32 | width << 8 | (is_signed as u32) << 16
    }

    /// The refused operation, if it is known.
    pub fn operation(&self) -> Option<Operation> {
        Operation::from_number(self.how as u8)
    }

    /// The operands as numbers.
    pub fn operands(&self) -> [i128; 2] {
        let width = self.how >> 8 & 0xff;
        let is_signed = self.how >> 16 & 1 != 0;
        [self.a, self.b].map(|bits| {
            let shift = 64u32.saturating_sub(width).min(63);
            if is_signed { i128::from((bits << shift) as i64 >> shift) } else { i128::from(bits << shift >> shift) }
        })
    }
}

/// Maximum number of return addresses kept for the end of a run.
pub const MAX_FRAMES: usize = 16;

/// The outcome as stored in the segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Outcome {
    /// Number of an [`OutcomeKind`].
    pub kind: u32,
    pub code: u32,
    /// A [`crate::event::Site`], or `Site::NONE`.
    pub site: u32,
    pub n_frames: u32,
    /// The address that a signal refers to.
    pub address: u64,
    pub fault: Fault,
    /// Code addresses, innermost first, as offsets from the program's load address. The first one is where it stopped,
    /// the others are return addresses inside instrumented code.
    pub frames: [u64; MAX_FRAMES],
}
