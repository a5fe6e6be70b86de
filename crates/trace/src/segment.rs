//! The shared segment: one file in memory, mapped by the engine and by the unit.
//!
//! ```text
//!   Header │ Plan │ Inputs │ InputBytes │ Names │ Nodes │ Events │ Notes │ Modules │ Coverage │ States │ Images │ Batch
//! ```
//! The engine makes it, chooses the areas' sizes and writes `Header::areas`; the unit refuses another
//! magic or version. A run is a handshake on two sequence words:
//!
//! ```text
//!   engine  writes plan and limits, request += 1, wakes ───────▶ unit  runs, writes results,
//!   engine  reads results          ◀─────────────────── wakes,   done = request
//! ```
//! Counters are written after what they count, so that the trace of a killed run can be read. The unit can write anything here,
//! at any time: the engine copies what it needs once, then checks the copy.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicU32, AtomicU64};

use crate::outcome::Outcome;

/// "tineseg\0" as little-endian bytes.
pub const MAGIC: u64 = u64::from_le_bytes(*b"tineseg\0");

/// The areas behind the header, by index into [`Header::areas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum AreaKind {
    /// [`crate::plan`].
    Plan = 0,
    /// [`crate::plan::InputRecord`]s.
    Inputs,
    /// Bytes of all inputs, as the unit got them.
    InputBytes,
    /// Names of inputs, UTF-8 as far as the unit was.
    Names,
    /// [`crate::node::Node`]s; slot 0 unused.
    Nodes,
    /// [`crate::event::Event`]s.
    Events,
    /// [`crate::event::Note`]s.
    Notes,
    /// [`ModuleRecord`]s.
    Modules,
    /// One byte per edge (alternative of a branching site), set when it was ever taken. The unit only
    /// sets, never clears; the engine compares with what it knew.
    Coverage,
    /// [`crate::state::StateRecord`]s.
    States,
    /// Bytes of objects as they were when an address that depends on inputs led there first: see
    /// [`crate::op::ArrayOp::Table`].
    Images,
    /// Slots of [`crate::batch`].
    Batch,
}

pub const N_AREAS: usize = 12;

/// Memory that both processes may write to at any time. It is read and written whole, through its address: a reference to the
/// inside of it would promise that no other process writes there.
#[derive(Debug, Default)]
#[repr(transparent)]
pub struct Shared<T>(UnsafeCell<T>);

impl<T: Copy> Shared<T> {
    /// A copy of what is there now, which may be half of one value and half of another: to be checked.
    pub fn copy(&self) -> T {
        // SAFETY: the cell is alive and aligned; every `T` here is made of plain numbers, so any bytes are one.
        unsafe { self.0.get().read_volatile() }
    }

    pub fn set(&self, value: T) {
        // SAFETY: the cell is alive and aligned.
        unsafe { self.0.get().write_volatile(value) };
    }
}

/// Position of an area in the segment, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Area {
    pub offset: u64,
    pub len: u64,
}

/// An instrumented module of the program, in order of registration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct ModuleRecord {
    /// Digest of its map.
    pub digest: [u8; 16],
    pub site_base: u32,
    pub n_sites: u32,
    pub edge_base: u32,
    pub n_edges: u32,
}

/// Request of the engine for a run.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Limits {
    /// Symbolic decisions that are logged; past it the run goes on unlogged.
    pub max_depth: u32,
    pub max_nodes: u32,
    pub max_events: u32,
    /// Bits of `FLAG_*`.
    pub flags: u32,
    /// Bytes that the allocator hands out.
    pub memory: u64,
    /// See [`crate::plan::fill`].
    pub fill_seed: u64,
    /// Inputs after which the run ends; 0 for no such limit.
    pub max_inputs: u64,
    /// Kinds of error that are not checked for, a bit each: [`crate::check::Checks::unchecked`].
    pub unchecked: u64,
}

/// The run is recorded; without it, inputs are as planned but nothing is symbolic.
pub const FLAG_RECORD: u32 = 1;
/// The states that `__tine_state` asks about are written down.
pub const FLAG_STATES: u32 = 2;
/// Flag: runs may start from a fork server stopped before the first input, if that pays.
pub const FLAG_START_ONCE: u32 = 4;
/// As [`FLAG_START_ONCE`], however short the start-up is.
pub const FLAG_START_ALWAYS_ONCE: u32 = 8;
/// Either of them. A start-up is kept from the middle of one run, with what is covered by then: so these are not flags of several runs at
/// once, nor of a run that is done again on top of what it covered before.
pub const FLAGS_OF_START: u32 = FLAG_START_ONCE | FLAG_START_ALWAYS_ONCE;

/// Result of a run.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Results {
    pub n_nodes: AtomicU32,
    pub n_events: AtomicU32,
    /// Inputs that were written down.
    pub n_inputs: AtomicU32,
    /// Inputs that the run asked for, also those that did not fit.
    pub n_requests: AtomicU32,
    pub n_notes: AtomicU32,
    pub n_input_bytes: AtomicU32,
    pub n_name_bytes: AtomicU32,
    /// Bytes of output (stdout and stderr) that this run wrote.
    pub output_len: AtomicU64,
    /// Not 0: the run changed kernel state or its process cannot be reset; it must be replaced.
    pub dirty: AtomicU32,
    pub n_states: AtomicU32,
    pub n_image_bytes: AtomicU32,
    /// Bits of the kinds of notes that the run made: `1 << kind`.
    pub note_kinds: AtomicU32,
    /// The [`crate::seal`] of a run that was recorded to its end; 0 otherwise.
    pub seal: AtomicU64,
    pub outcome: Shared<Outcome>,
}

/// Values that the engine writes once. The unit reads them at its start and has no reason to write there: what is in it afterwards shows
/// whether something has overwritten the segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Fixed {
    pub magic: u64,
    pub version: u32,
    pub _pad: u32,
    pub len: u64,
    pub areas: [Area; N_AREAS],
}

/// Start of the segment.
#[derive(Debug)]
#[repr(C)]
pub struct Header {
    pub fixed: Shared<Fixed>,
    /// Bits of `SANDBOX_*` as the unit knows them. Set by the unit, so the engine does not rely on it.
    pub sandbox: AtomicU32,
    /// Sequence word: the engine adds one for each run it asks for.
    pub request: AtomicU32,
    /// Sequence word: the unit sets it to the request it has finished.
    pub done: AtomicU32,
    /// Process that runs units now; 0 before there is one. Only for this moment, never stored.
    pub worker: AtomicU32,
    /// Set by the zygote when a worker has died: wait status | [`DIED`]; the engine clears it.
    pub died: AtomicU32,
    /// Modules registered so far.
    pub n_modules: AtomicU32,
    /// Bits of `SLEEPING_*`: who needs a futex wake when a sequence word changes.
    pub sleeping: AtomicU32,
    /// Not 0: engine and worker have one core between them. Who waits sleeps at once, or the other could not go on.
    pub one_core: AtomicU32,
    /// Runs that are asked for with one request, their plans in slots; 0 for one whose plan is in the area Plan.
    pub n_batch: AtomicU32,
    /// Number of runs that are finished and stored.
    pub n_aside: AtomicU32,

    /// The process that stopped before its first input and forks workers there; 0 while there is none.
    pub stem: AtomicU32,
    /// Sequence words between zygote and stem: a worker is wanted, and was forked (its number is in `forked`).
    pub fork_request: AtomicU32,
    pub fork_done: AtomicU32,
    pub forked: AtomicU32,
    /// Not 0: the worker was forked by the stem, and what the program had printed by then is to stay.
    pub is_resumed: AtomicU32,
    /// Bytes that were printed before the first input.
    pub start_output: AtomicU64,
    /// Runs that began at the stem's place.
    pub n_resumed: AtomicU32,
    /// Stems so far, and forks that took longer than what they were to save.
    pub n_stems: AtomicU32,
    pub n_regrets: AtomicU32,
    /// Start-ups in a row that took longer than a fork.
    pub n_slow_starts: AtomicU32,

    pub limits: Shared<Limits>,
    pub results: Results,
}

/// [`Header::stem`]: none must be made, because its forks take longer than the start-up.
pub const NO_STEM: u32 = u32::MAX;

/// Bit of [`Header::died`] that tells a status of 0 from "nothing died".
pub const DIED: u32 = 1 << 31;

/// Bit of [`Header::sleeping`]: the worker sleeps on [`Header::request`].
pub const SLEEPING_WORKER: u32 = 1;
/// Bit of [`Header::sleeping`]: the engine sleeps on [`Header::done`].
pub const SLEEPING_ENGINE: u32 = 2;

/// Bit of [`Header::sandbox`]: Landlock keeps writes below the scratch directory.
pub const SANDBOX_FILES: u32 = 1;
/// Bit of [`Header::sandbox`]: seccomp refuses processes, sockets and signals to others.
pub const SANDBOX_CALLS: u32 = 2;
/// Bit of [`Header::sandbox`]: sleeping does not take time.
pub const SANDBOX_TIME: u32 = 4;

/// [`Outcome::kind`] that the engine writes before a request: the worker has not begun the run yet.
pub const NOT_BEGUN: u32 = u32::MAX;

/// Bytes reserved for the header.
pub const HEADER_LEN: u64 = 4096;

const _: () = assert!(size_of::<Header>() as u64 <= HEADER_LEN);

/// Text that every program linked with the runtime contains: the engine starts no other, because it would
/// simply run.
pub const MARKER: &str = "tine runtime, contract 1";

/// Text of programs that heed [`SCRATCH_VARIABLE`] in a replay, too: older ones would simply run.
pub const GUARD_MARKER: &str = "tine runtime, replays in the sandbox";

/// File in the scratch directory of a replay: numbers of the system calls that were refused, as little-endian words.
pub const REFUSED_FILE: &str = ".refused";

/// Environment variable by which the engine hands a unit its descriptors: "segment,control,maps" as
/// decimal numbers. Without it a program built by `tine cc` behaves as the native one.
pub const FDS_VARIABLE: &str = "TINE_FDS";

/// Environment variable that names a file with an input plan (the plan area's layout): the program runs
/// natively, its inputs as planned; with [`SCRATCH_VARIABLE`] in the sandbox. `tine replay` uses it.
pub const REPLAY_VARIABLE: &str = "TINE_REPLAY";

/// Environment variable with the directory that the unit may write below.
pub const SCRATCH_VARIABLE: &str = "TINE_SCRATCH";

/// Environment variable with the bits of `SANDBOX_*`, as a decimal number: the sandbox that the engine has put the program into.
pub const SANDBOX_VARIABLE: &str = "TINE_SANDBOX";

/// Command byte on the control socket, engine to zygote: start a worker. The answer is [`Header::worker`]
/// and one byte.
pub const COMMAND_FORK: u8 = b'f';

/// Environment variable that says which arguments, variables and files of a program are inputs: text for
/// `__tine_start` (`models/interfaces/start.c`).
pub const INPUTS_VARIABLE: &str = "TINE_INPUTS";
