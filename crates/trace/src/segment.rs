//! The shared segment: one file in memory, mapped by the engine and by the unit.
//!
//! ```text
//!   Header │ Plan │ Inputs │ InputBytes │ Names │ Nodes │ Events │ Notes │ Modules │ Coverage │ States │ Images │ Batch
//! ```
//! The engine creates it, chooses the areas' sizes and writes `Fixed::areas`. The unit refuses another magic number or
//! version. A run is a handshake on two sequence words:
//!
//! ```text
//!   engine  writes plan and limits, request += 1, wakes ───────▶ unit  runs, writes results,
//!   engine  reads results          ◀─────────────────── wakes,   done = request
//! ```
//! A counter is written after the counted records, so that the trace of a killed run can be read. The unit can write
//! anything here at any time. So the engine copies the records once and checks the copy.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicU32, AtomicU64};

use crate::outcome::Outcome;

/// "tineseg\0" as little-endian bytes.
pub const MAGIC: u64 = u64::from_le_bytes(*b"tineseg\0");

/// The areas after the header, by index into [`Fixed::areas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum AreaKind {
    /// [`crate::plan`].
    Plan = 0,
    /// [`crate::plan::InputRecord`]s.
    Inputs,
    /// Bytes of all inputs, as the unit received them.
    InputBytes,
    /// Names of inputs, as bytes from the unit: usually UTF-8.
    Names,
    /// [`crate::node::Node`]s; slot 0 unused.
    Nodes,
    /// [`crate::event::Event`]s.
    Events,
    /// [`crate::event::Note`]s.
    Notes,
    /// [`ModuleRecord`]s.
    Modules,
    /// One byte per edge (side of a branching site), set when it was ever taken. The unit only sets bytes, never clears
    /// them. The engine compares them with its known coverage.
    Coverage,
    /// [`crate::state::StateRecord`]s.
    States,
    /// Bytes of objects, copied at the first access through an address that depends on inputs: see
    /// [`crate::op::ArrayOp::Table`].
    Images,
    /// Slots of [`crate::batch`].
    Batch,
}

/// Number of areas.
pub const N_AREAS: usize = 12;

/// Memory that both processes may write at any time. It is read and written as a whole, through its address. A
/// reference to its contents would promise that no other process writes there.
#[derive(Debug, Default)]
#[repr(transparent)]
pub struct Shared<T>(UnsafeCell<T>);

impl<T: Copy> Shared<T> {
    /// A copy of the current contents, which may be half of one value and half of another. It must be checked.
    pub fn copy(&self) -> T {
        // SAFETY: the cell is alive and aligned; every `T` here consists of plain numbers, so any bytes are valid.
        unsafe { self.0.get().read_volatile() }
    }

    /// Sets the value.
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

/// A request of the engine for a run.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Limits {
    /// Maximum number of symbolic decisions that are logged. After it the run continues without a log.
    pub max_depth: u32,
    pub max_nodes: u32,
    pub max_events: u32,
    /// Bits of `FLAG_*`.
    pub flags: u32,
    /// Memory limit of the allocator in bytes.
    pub memory: u64,
    /// See [`crate::fill::fill`].
    pub fill_seed: u64,
    /// Number of inputs after which the run ends; 0 for no limit.
    pub max_inputs: u64,
    /// Kinds of errors that are not checked, one bit each: [`crate::check::Checks::unchecked`].
    pub unchecked: u64,
}

/// Flag: the run is recorded. Without it, inputs follow the plan but nothing is symbolic.
pub const FLAG_RECORD: u32 = 1;
/// Flag: the states at calls of `__tine_state` are recorded.
pub const FLAG_STATES: u32 = 2;
/// Flag: runs may start from a fork server stopped before the first input, if that is faster.
pub const FLAG_START_ONCE: u32 = 4;
/// As [`FLAG_START_ONCE`], also for a short start-up.
pub const FLAG_START_ALWAYS_ONCE: u32 = 8;
/// Either of them. The fork server is made in the middle of one run, with the coverage so far. So these flags are not
/// used for batches, nor for a run that is repeated on top of its earlier coverage.
pub const FLAGS_OF_START: u32 = FLAG_START_ONCE | FLAG_START_ALWAYS_ONCE;

/// Result of a run.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Results {
    pub n_nodes: AtomicU32,
    pub n_events: AtomicU32,
    /// Number of inputs that were recorded.
    pub n_inputs: AtomicU32,
    /// Number of inputs that the run requested, including those that did not fit.
    pub n_requests: AtomicU32,
    pub n_notes: AtomicU32,
    pub n_input_bytes: AtomicU32,
    pub n_name_bytes: AtomicU32,
    /// Number of bytes of output (stdout and stderr) that this run wrote.
    pub output_len: AtomicU64,
    /// Nonzero: the run changed kernel state or its process cannot be reset. The process must be replaced.
    pub dirty: AtomicU32,
    pub n_states: AtomicU32,
    pub n_image_bytes: AtomicU32,
    /// Bits of the kinds of notes that the run made: `1 << kind`.
    pub note_kinds: AtomicU32,
    /// The [`crate::seal`] of a run that was recorded until its end; 0 otherwise.
    pub seal: AtomicU64,
    pub outcome: Shared<Outcome>,
}

/// Values that the engine writes once. The unit reads them at its start and has no reason to write there. So a change
/// shows that the segment has been overwritten.
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
    /// Bits of `SANDBOX_*`, as known to the unit. Set by the unit, so the engine does not rely on it.
    pub sandbox: AtomicU32,
    /// Sequence word: the engine adds one for each requested run.
    pub request: AtomicU32,
    /// Sequence word: the unit sets it to the request it has finished.
    pub done: AtomicU32,
    /// Process that currently runs units; 0 before there is one. Valid only at this moment, never stored.
    pub worker: AtomicU32,
    /// Set by the zygote when a worker has died: wait status | [`DIED`]; cleared by the engine.
    pub died: AtomicU32,
    /// Number of modules registered so far.
    pub n_modules: AtomicU32,
    /// Bits of `SLEEPING_*`: the sides that need a futex wake when a sequence word changes.
    pub sleeping: AtomicU32,
    /// Nonzero: engine and worker share one core. The waiting side sleeps immediately, otherwise the other could not
    /// run.
    pub one_core: AtomicU32,
    /// Number of runs requested at once, with their plans in slots; 0 for one run whose plan is in the area Plan.
    pub n_batch: AtomicU32,
    /// Number of runs that are finished and stored.
    pub n_aside: AtomicU32,

    /// The fork server: the process that stopped before its first input and forks workers there; 0 while there is none.
    pub fork_server: AtomicU32,
    /// Sequence words between zygote and fork server: a worker is wanted, and was forked (its number is in `forked`).
    pub fork_request: AtomicU32,
    pub fork_done: AtomicU32,
    pub forked: AtomicU32,
    /// Nonzero: the worker was forked by the fork server, and the output that the program had printed until then must
    /// be kept.
    pub is_forked: AtomicU32,
    /// Number of bytes that were printed before the first input.
    pub start_output: AtomicU64,
    /// Number of runs that the fork server started.
    pub n_forked: AtomicU32,
    /// Number of fork servers so far, and of forks that took longer than the time they should save.
    pub n_fork_servers: AtomicU32,
    pub n_regrets: AtomicU32,
    /// Number of consecutive start-ups that were long enough for a fork server.
    pub n_slow_starts: AtomicU32,

    pub limits: Shared<Limits>,
    pub results: Results,
}

/// [`Header::fork server`]: no fork server may be made, because its forks take longer than the start-up.
pub const NO_FORK_SERVER: u32 = u32::MAX;

/// Bit of [`Header::died`] that distinguishes a status of 0 from "no process died".
pub const DIED: u32 = 1 << 31;

/// Bit of [`Header::sleeping`]: the worker sleeps on [`Header::request`].
pub const SLEEPING_WORKER: u32 = 1;
/// Bit of [`Header::sleeping`]: the engine sleeps on [`Header::done`].
pub const SLEEPING_ENGINE: u32 = 2;

/// Bit of [`Header::sandbox`]: Landlock restricts writes to the scratch directory.
pub const SANDBOX_FILES: u32 = 1;
/// Bit of [`Header::sandbox`]: seccomp refuses new processes, sockets and signals to other processes.
pub const SANDBOX_CALLS: u32 = 2;
/// Bit of [`Header::sandbox`]: time is virtual, so sleeping does not wait.
pub const SANDBOX_TIME: u32 = 4;

/// Value of [`Outcome::kind`] that the engine writes before a request: the worker has not begun the run yet.
pub const NOT_BEGUN: u32 = u32::MAX;

/// Bytes reserved for the header.
pub const HEADER_LEN: u64 = 4096;

const _: () = assert!(size_of::<Header>() as u64 <= HEADER_LEN);

/// String that every program linked with the runtime contains. The engine starts no other programs, because those would
/// simply run.
pub const MARKER: &str = "tine runtime, contract 1";

/// String of programs that also respect [`SCRATCH_VARIABLE`] in a replay. Older ones would simply run.
pub const GUARD_MARKER: &str = "tine runtime, replays in the sandbox";

/// File in the scratch directory of a replay: numbers of refused system calls, as little-endian words.
pub const REFUSED_FILE: &str = ".refused";

/// Environment variable by which the engine passes descriptors to a unit: "segment,control,maps" as decimal numbers.
/// Without it a program built by `tine cc` behaves like the native one.
pub const FDS_VARIABLE: &str = "TINE_FDS";

/// Environment variable that names a file with an input plan (the plan area's layout). The program runs natively with
/// the inputs of the plan; with [`SCRATCH_VARIABLE`], in the sandbox. Used by `tine replay`.
pub const REPLAY_VARIABLE: &str = "TINE_REPLAY";

/// Environment variable with the directory to which the unit's writes are restricted.
pub const SCRATCH_VARIABLE: &str = "TINE_SCRATCH";

/// Environment variable with the bits of `SANDBOX_*`, as a decimal number: the sandbox that the engine has set up for
/// the program.
pub const SANDBOX_VARIABLE: &str = "TINE_SANDBOX";

/// Command byte on the control socket, engine to zygote: start a worker. The answer is [`Header::worker`]
/// and one byte.
pub const COMMAND_FORK: u8 = b'f';

/// Environment variable that describes the arguments, environment variables and files of a program that are inputs.
/// Parsed by `__tine_start` (`models/interfaces/start.c`).
pub const INPUTS_VARIABLE: &str = "TINE_INPUTS";
