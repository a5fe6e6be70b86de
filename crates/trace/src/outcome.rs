//! How a run ended, and the kinds of error a run can show.

macro_rules! error_kinds {
    ($( $(#[$doc:meta])* $name:ident = $number:literal $text:literal $stops:ident )*) => {
        /// What is wrong with the program, in the words of the report.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum ErrorKind { $( $(#[$doc])* $name = $number ),* }

        impl ErrorKind {
            pub const ALL: &'static [ErrorKind] = &[ $( ErrorKind::$name ),* ];

            /// As reports and `//~ ERROR` annotations spell it.
            pub const fn text(self) -> &'static str {
                match self { $( ErrorKind::$name => $text ),* }
            }

            /// Whether the run stops at a failed check of this kind. The others go on as the
            /// native program would: their result is defined by the machine, if not by C.
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
    AssertionFailure = 1 "assertion failure" stops
    /// A call of `reach_error()`, as in Test-Comp.
    ReachError = 2 "reach_error" stops
    Abort = 3 "abort" stops
    DivisionByZero = 4 "division by zero" stops
    /// `INT_MIN / -1`: traps on the machine.
    DivisionOverflow = 5 "division overflow" stops
    SignedOverflow = 6 "signed integer overflow" goes_on
    Shift = 7 "invalid shift" goes_on
    ArrayBounds = 8 "array index out of bounds" stops
    NullPointer = 9 "null pointer dereference" stops
    Misaligned = 10 "misaligned access" goes_on
    InvalidValue = 11 "invalid bool or enum value" goes_on
    /// `__builtin_clz(0)`: the machine has no answer to go on with.
    InvalidBuiltin = 12 "invalid argument of a builtin" stops
    NullArgument = 13 "null passed where non-null is required" stops
    NullReturn = 14 "null returned where non-null is required" stops
    VlaBound = 15 "variable-length array of non-positive size" stops
    Unreachable = 16 "unreachable code reached" stops
    MissingReturn = 17 "missing return value" stops
    FloatCast = 18 "float out of the integer's range" goes_on
    PointerOverflow = 19 "pointer overflow" goes_on
    EndlessLoop = 20 "endless loop" stops
    StackOverflow = 21 "stack overflow" stops
    OutOfMemory = 22 "out of memory" stops
    OutputLimit = 23 "too much output" stops
    /// SIGSEGV or SIGBUS that no check foresaw.
    InvalidAccess = 24 "invalid memory access" stops
    /// SIGFPE that no check foresaw.
    ArithmeticTrap = 25 "arithmetic trap" stops
    /// SIGILL or SIGTRAP.
    IllegalInstruction = 26 "illegal instruction" stops
    /// Another signal that ends the process.
    Signal = 27 "killed by a signal" stops
    /// Undefined behaviour of a kind that has no name of its own here.
    OtherUndefined = 28 "undefined behaviour" goes_on
    /// What `--ensures` asks for does not hold.
    PostconditionFailure = 29 "postcondition failure" stops
    /// A call of a function that nothing defines.
    MissingFunction = 30 "call of an undefined function" stops
    /// What is freed, or given another size, is no object of the heap, or none any more.
    InvalidFree = 31 "invalid free" stops
    /// A wait that nothing in the program can end: no other thread computes, and no timer is set.
    Blocked = 32 "blocked forever" stops
}

impl ErrorKind {
    pub fn from_number(number: u32) -> Option<ErrorKind> {
        ErrorKind::ALL.iter().copied().find(|kind| *kind as u32 == number)
    }
}

/// `code` of [`OutcomeKind::OutOfMemory`]: the run ended with an error, but after an allocation had been refused
/// ([`crate::event::NoteKind::MemoryRefused`]).
pub const MEMORY_REFUSED: u32 = 1;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum OutcomeKind {
    /// Still running, or killed before it could say.
    Unfinished = 0,
    /// `exit`, or `main` returned; `code` is the exit code. For a unit: the function returned.
    Exited = 1,
    /// An assumption does not hold for this input: neither a path nor an error.
    Rejected = 2,
    /// A check or an assertion failed; `code` is an [`ErrorKind`], `site` the place.
    Failed = 3,
    /// A signal; `code` is its number, `frames` where it hit.
    Signal = 4,
    /// The stack ran over its guard page.
    StackOverflow = 5,
    /// The allocator's limit.
    OutOfMemory = 6,
    /// The run's time was over; `frames` where it was then.
    Timeout = 7,
}

impl OutcomeKind {
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

/// Return addresses kept of where a run ended.
pub const MAX_FRAMES: usize = 16;

/// The outcome as it lies in the segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Outcome {
    /// Number of an [`OutcomeKind`].
    pub kind: u32,
    pub code: u32,
    /// A [`crate::event::Site`], or `Site::NONE`.
    pub site: u32,
    pub n_frames: u32,
    /// The address that a signal was about.
    pub address: u64,
    /// Code addresses, innermost first, as offsets from where the program is loaded: the first is where
    /// it stopped, the others return addresses inside instrumented code.
    pub frames: [u64; MAX_FRAMES],
}
