//! Decisions of a path, in order: the constraints of a run.
//!
//! Facts that constrain nothing (a value was concretised, a check failed) are [`Note`]s: one entry for each place and
//! kind, with a count, so that a loop does not flood the log.

use crate::outcome::{ErrorKind, Refused};

/// A place in the program: index into the program's sites, modules in order of registration, so
/// `global = module.site_base + local`. See [`crate::map`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Site(pub u32);

impl Site {
    /// The site of events without one.
    pub const NONE: Site = Site(u32::MAX);

    /// A site for a place that is known only at run time, from a number for the calls on the stack. No program has this
    /// many sites.
    pub const fn of_place(place: u64) -> Site {
        Site(1 << 31 | (place ^ place >> 31) as u32 >> 1 & !1)
    }
}

/// Kind of an [`Event`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum EventKind {
    /// `node` is one bit; `side` 1 when it was true. For a check that is a conjunction
    /// (`a != 0 && b != -1`) one event is logged per conjunct, as short-circuit evaluation would.
    Branch = 1,
    /// `node` is the value switched on; `side` is the side: 0 for the default, otherwise the site's case.
    Switch = 2,
    /// `node` is the value chosen, `aux` the number of sides.
    Choice = 3,
    /// `node` was concretised to its value; `aux` is a [`ConcretiseReason`]. A constraint without another side.
    Concretise = 4,
    /// `node` is an input pointer that was used for the first time: an aliasing choice. It is concretised to its value.
    /// Its other sides are the other objects or functions it could have pointed to, which the engine knows.
    /// `side` is [`placed`].
    Aliasing = 5,
    /// As `Branch`, for the decision whether a call fails because an input says so. `site` is [`Site::of_place`].
    Failing = 6,
}

/// `side` of an aliasing choice: 0 for an object that this path meets for the first time. Otherwise a number
/// made of the object's rank in the order of meeting and of the offset in it.
pub const fn placed(rank: Option<u32>, offset: u64) -> u16 {
    match rank {
        None => 0,
        Some(rank) => (1 + (rank as u64 * 0x9e37 + offset) % 0xffff) as u16,
    }
}

impl EventKind {
    /// The kind with this number.
    pub fn from_number(number: u8) -> Option<EventKind> {
        Some(match number {
            1 => EventKind::Branch,
            2 => EventKind::Switch,
            3 => EventKind::Choice,
            4 => EventKind::Concretise,
            5 => EventKind::Aliasing,
            6 => EventKind::Failing,
            _ => return None,
        })
    }
}

/// One record of the log, 32 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Event {
    /// Number of an [`EventKind`].
    pub kind: u8,
    /// `OF_LAYOUT`, and above it the distance to a violation ([`Event::distance`]).
    pub flags: u8,
    /// Number of the taken side.
    pub side_index: u16,
    /// A [`Site`].
    pub site: u32,
    /// A [`crate::node::NodeId`].
    pub node: u32,
    /// Meaning depends on the kind.
    pub aux: u32,
    /// [`prefix_hash`] over all events up to and including this one.
    pub prefix_hash: u64,
    /// Number of nodes in the arena when this was logged. Nodes of later events beyond it are new.
    pub n_nodes: u32,
    /// Number of inputs requested when this was logged.
    pub n_inputs: u32,
}

const _: () = assert!(size_of::<Event>() == 32);

/// Flag of a branch that depends on the addresses of input objects. Their aliasing choices, earlier on the path,
/// determine it.
pub const OF_LAYOUT: u8 = 1;

/// The largest distance to a violation that is distinguished from larger ones.
pub const MAX_DISTANCE: u8 = 63;

/// Bit position of the distance among an event's flags.
pub const DISTANCE_SHIFT: u32 = 1;

impl Event {
    /// The distance to the nearest violation of a specification when this was logged, in events of the specification; 0
    /// without specifications.
    pub const fn distance(&self) -> u8 {
        self.flags >> DISTANCE_SHIFT
    }
}

/// Hash before the first event.
pub const PREFIX_HASH_START: u64 = 0x7469_6e65_0000_0001;

/// Rolling hash of a path: the same decisions at the same places have the same hash, for all inputs.
pub const fn prefix_hash(before: u64, kind: u8, site: u32, side_index: u16) -> u64 {
    let record = (kind as u64) << 48 | (side_index as u64) << 32 | site as u64;
    let mut hash = before ^ record;
    hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^= hash >> 29;
    hash.wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// Reason why a value was concretised ([`EventKind::Concretise`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ConcretiseReason {
    /// It was the address of a load or store.
    Address = 1,
    /// It was a length (`memcpy`, `alloca`).
    Length = 2,
    /// It was the target of an indirect call or jump.
    Target = 3,
    /// A float out of the range of the integer it was converted to.
    FloatRange = 4,
    /// The bits of a NaN were read.
    NanBits = 5,
}

impl ConcretiseReason {
    /// The reason with this number.
    pub fn from_number(number: u32) -> Option<ConcretiseReason> {
        Some(match number {
            1 => ConcretiseReason::Address,
            2 => ConcretiseReason::Length,
            3 => ConcretiseReason::Target,
            4 => ConcretiseReason::FloatRange,
            5 => ConcretiseReason::NanBits,
            _ => return None,
        })
    }

    /// Text for reports.
    pub const fn text(self) -> &'static str {
        match self {
            ConcretiseReason::Address => "address depends on the input",
            ConcretiseReason::Length => "length depends on the input",
            ConcretiseReason::Target => "call target depends on the input",
            ConcretiseReason::FloatRange => "float out of the integer's range",
            ConcretiseReason::NanBits => "bits of a NaN",
        }
    }
}

/// A fact worth counting that is not a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum NoteKind {
    /// `detail` is an [`ErrorKind`]. The run continued unless the outcome says that it stopped here.
    Error = 1,
    /// A value that depends on inputs was passed to uninstrumented code (the site names it).
    ExternCall = 2,
    /// Uninstrumented code changed memory, an argument or a result without updating its shadow.
    Stale = 3,
    /// An operation without an expression (vectors, `long double`, inline assembly …) took a symbolic value.
    Unsupported = 4,
    /// The arena was full: from here on the run was concrete.
    NodeCap = 5,
    /// The log was full or the depth bound reached: from here on nothing was logged.
    Depth = 6,
    /// A thread other than the first touched symbolic values.
    Thread = 7,
    /// The sandbox refused a system call; `detail` is its number. No site.
    Refused = 8,
    /// More inputs, or larger ones, than the segment can hold: the rest stayed concrete.
    InputCap = 9,
    /// The unit accessed more elements than an input object can have. The run ended there.
    MaxElements = 10,
    /// The unit read the end of a string of maximum length.
    MaxText = 11,
    /// The unit accessed memory before the first element of an input object. The run ended there.
    BeforeObject = 12,
    /// A sequence of calls ended because it reached its maximum length.
    MaxCalls = 13,
    /// An input object was written while there were others. `site` is its slot, `detail` the end of the last byte
    /// written. From this the engine derives overlaps of objects that are not tried.
    Overlap = 14,
    /// The run ended because it requested more inputs than allowed.
    MaxInputs = 15,
    /// The program may read back what it writes (through a pipe, a file, a stream in memory). Shadows are lost on this
    /// way.
    ReadBack = 16,
    /// The run exceeded its time limit only because it was recorded. Its log ends there, and its end is taken from
    /// another run with the same input. Only the engine writes this note.
    TooSlow = 17,
    /// A call could have failed, but an earlier call from the same place could fail as well: only the first is offered.
    SamePlace = 18,
    /// The run showed an error (`detail` is an [`ErrorKind`]) that did not appear again when its input ran in a fresh
    /// process. Only the engine writes this note.
    NotReproduced = 19,
    /// Memory that was not written has the values of this run: elements of an array that was read at an index that
    /// depends on inputs, and the end of a large object.
    Unset = 20,
    /// An allocation returned NULL because it is larger than the memory limit of a run. Errors that follow are not
    /// reported.
    MemoryRefused = 21,
    /// An input string was written before another input object was read, or the reverse. Characters that lie in the
    /// bytes of other objects are not tried.
    Characters = 24,
    /// A specification has more objects than are followed at a time.
    MaxObjects = 29,
    /// A monitor of a specification reached a state: `detail` is [`monitored`]. No site.
    Monitored = 30,
}

/// `detail` of [`NoteKind::Monitored`]: a state of a property, by its number in the unit.
pub const fn monitored(property: u32, state: u8) -> u32 {
    property << 8 | state as u32
}

impl NoteKind {
    /// The kind with this number.
    pub fn from_number(number: u8) -> Option<NoteKind> {
        Some(match number {
            1 => NoteKind::Error,
            2 => NoteKind::ExternCall,
            3 => NoteKind::Stale,
            4 => NoteKind::Unsupported,
            5 => NoteKind::NodeCap,
            6 => NoteKind::Depth,
            7 => NoteKind::Thread,
            8 => NoteKind::Refused,
            9 => NoteKind::InputCap,
            10 => NoteKind::MaxElements,
            11 => NoteKind::MaxText,
            12 => NoteKind::BeforeObject,
            13 => NoteKind::MaxCalls,
            14 => NoteKind::Overlap,
            24 => NoteKind::Characters,
            29 => NoteKind::MaxObjects,
            30 => NoteKind::Monitored,
            15 => NoteKind::MaxInputs,
            16 => NoteKind::ReadBack,
            17 => NoteKind::TooSlow,
            18 => NoteKind::SamePlace,
            19 => NoteKind::NotReproduced,
            20 => NoteKind::Unset,
            21 => NoteKind::MemoryRefused,
            _ => return None,
        })
    }
}

/// Maximum number of return addresses in a [`Note`].
pub const NOTE_FRAMES: usize = 8;

/// One fact with its count in this run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Note {
    /// Number of a [`NoteKind`].
    pub kind: u8,
    pub _pad: [u8; 3],
    /// A [`Site`].
    pub site: u32,
    /// Meaning depends on the kind.
    pub detail: u32,
    pub count: u32,
    /// For an error: return addresses of the current calls when it was noted first, as offsets into the program's file,
    /// innermost first; 0 if there are fewer.
    pub frames: [u32; NOTE_FRAMES],
    /// For an error: operation and operands that a check refused.
    pub refused: Refused,
}

impl Note {
    /// The error, if the note reports one.
    pub fn error(&self) -> Option<ErrorKind> {
        if NoteKind::from_number(self.kind) == Some(NoteKind::Error) {
            ErrorKind::from_number(self.detail)
        } else {
            None
        }
    }
}
