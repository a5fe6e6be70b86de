//! Changes outside of variables and heap, as seen from system calls: mapped memory, and state that the kernel keeps.
//!
//! Shadows follow mappings: new memory has none, and moved memory keeps its shadow. A mapped file may be visible at a
//! second address, or be read. Its symbolic bytes become concrete there, and this is noted.

use tine_trace::event::{NoteKind, Site};

use super::places::Place;
use super::shadow;
use super::state::{self, Recorder};
use super::{note, notes};
use crate::sys::nr;

const MAX_MAPPINGS: usize = 64;
const PAGE: u64 = 4096;
const MUNMAP: usize = 11;
const MPROTECT: usize = 10;
const MREMAP: usize = 25;
const UMASK: usize = 95;
/// Calls that make descriptors whose contents the program writes and reads: `pipe`, `socketpair`, `eventfd`, `pipe2`,
/// `memfd_create`, `eventfd2`.
const READ_BACK: [usize; 6] = [22, 53, 284, 293, 319, 290];

#[derive(Clone, Copy, Debug)]
struct Mapping {
    start: u64,
    end: u64,
    /// True if the same memory may be visible elsewhere.
    shared: bool,
}

#[derive(Debug)]
pub(super) struct Kernel {
    mappings: [Mapping; MAX_MAPPINGS],
    n: usize,
    /// Value set by the run; never 0 once set.
    umask: u64,
    /// True if the run changed something that [`super::graph`] cannot examine.
    pub(super) unseen: bool,
    /// True if an allocation was refused that another machine might grant.
    memory_refused: bool,
    /// True if uninstrumented code was called that may have changed its own memory.
    pub(super) left: bool,
}

impl Kernel {
    pub(super) fn begin(&mut self) {
        self.n = 0;
        self.umask = 0;
        self.unseen = false;
        self.left = false;
        self.memory_refused = false;
    }

    fn add(&mut self, new: Mapping) {
        match self.mappings.get_mut(self.n) {
            Some(slot) => {
                *slot = new;
                self.n += 1;
            }
            None => self.unseen = true,
        }
    }

    /// Removes a range from all mappings. Returns true if memory in it was shared.
    fn remove(&mut self, start: u64, end: u64) -> bool {
        let mut shared = false;
        for index in (0..self.n).rev() {
            let old = self.mappings[index];
            if old.end <= start || end <= old.start {
                continue;
            }
            shared |= old.shared;
            self.n -= 1;
            self.mappings[index] = self.mappings[self.n];
            for rest in [Mapping { end: start, ..old }, Mapping { start: end, ..old }] {
                if rest.start < rest.end {
                    self.add(rest);
                }
            }
        }
        shared
    }

    /// The mapping that an address lies in.
    pub(super) fn place_of(&self, address: u64) -> Option<Place> {
        let found = self.mappings[..self.n].iter().find(|mapping| (mapping.start..mapping.end).contains(&address))?;
        Some(Place { base: found.start, len: found.end - found.start })
    }

    /// All mappings, in order of addresses, and the rest of the readable kernel state.
    pub(super) fn state(&mut self) -> (impl Iterator<Item = Place> + use<>, u64) {
        self.mappings[..self.n].sort_unstable_by_key(|mapping| mapping.start);
        let mappings = self.mappings;
        let places = mappings.into_iter().take(self.n);
        (places.map(|mapping| Place { base: mapping.start, len: mapping.end - mapping.start }), self.umask)
    }
}

/// The recorder, if this thread records. System calls reach the trap also without instrumented code, as in a replay.
fn recording() -> Option<&'static mut Recorder> {
    state::gate().filter(|gate| gate.records_here()).map(|_| state::owned())
}

/// Notes that a system call of the unit changed something that cannot be examined. Async-signal-safe.
pub fn changed_unseen() {
    if let Some(recorder) = recording() {
        recorder.kernel.unseen = true;
    }
}

/// Notes that an allocation returned NULL although another machine might grant it. The rest of the run may be a
/// consequence of that.
pub fn refuse_memory() {
    note(NoteKind::MemoryRefused, Site::NONE, 0);
    if state::gate().is_some() {
        state::owned().kernel.memory_refused = true;
    }
}

/// True if [`refuse_memory`] was called in this run. Async-signal-safe.
pub fn memory_was_refused() -> bool {
    state::gate().is_some() && state::owned().kernel.memory_refused
}

/// Calls `each` with start and end of memory outside of variables, stack and heap that may hold pointers: objects of
/// inputs, and memory mapped by the run.
pub fn for_each_root(each: &mut dyn FnMut(u64, u64)) {
    super::objects::for_each(each);
    if state::gate().is_some() {
        let kernel = &state::owned().kernel;
        kernel.mappings[..kernel.n].iter().for_each(|mapping| each(mapping.start, mapping.end));
    }
}

/// Records a system call of the unit that changed the process. Async-signal-safe.
pub fn performed(number: usize, arguments: [usize; 6], result: usize) {
    let Some(recorder) = recording() else { return };
    let arguments = arguments.map(|argument| argument as u64);
    match number {
        nr::MMAP => recorder.mapped(result as u64, arguments),
        MUNMAP => recorder.unmapped(arguments[0], arguments[0] + arguments[1].next_multiple_of(PAGE)),
        MREMAP => recorder.moved(result as u64, arguments),
        // The contents stay the same as long as they can be read.
        MPROTECT if arguments[2] & 1 != 0 => {}
        UMASK => recorder.kernel.umask = 1 << 9 | arguments[0] & 0o777,
        _ if READ_BACK.contains(&number) => {
            recorder.kernel.unseen = true;
            notes::once(NoteKind::ReadBack);
        }
        _ => recorder.kernel.unseen = true,
    }
}

impl Recorder {
    fn mapped(&mut self, start: u64, [_, len, protection, flags, ..]: [u64; 6]) {
        const MAP_SHARED: u64 = 1;
        const MAP_ANONYMOUS: u64 = 32;
        const PROT_READ: u64 = 1;
        let end = start + len.next_multiple_of(PAGE);
        self.unmapped(start, end);
        let is_file = flags & MAP_ANONYMOUS == 0;
        // Memory beyond the end of a file cannot be read.
        self.kernel.unseen |= is_file || protection & PROT_READ == 0;
        if protection & PROT_READ != 0 {
            self.kernel.add(Mapping { start, end, shared: is_file && flags & MAP_SHARED != 0 });
        }
    }

    fn unmapped(&mut self, start: u64, end: u64) {
        if self.kernel.remove(start, end) && shadow::may_be_symbolic(start, end - start) {
            note(NoteKind::ReadBack, Site::NONE, 0);
        }
        shadow::clear(start, end - start);
    }

    fn moved(&mut self, to: u64, [from, old_len, new_len, ..]: [u64; 6]) {
        let [old_len, new_len] = [old_len, new_len].map(|len| len.next_multiple_of(PAGE));
        let old = self.kernel.mappings[..self.kernel.n].iter_mut().find(|old| (old.start..old.end).contains(&from));
        let mut shared = old.as_ref().is_some_and(|old| old.shared);
        if old_len == 0 {
            // A second address of the same memory.
            shared = true;
            if let Some(old) = old {
                old.shared = true;
            }
        }
        let kept = old_len.min(new_len);
        if to != from && old_len > 0 {
            self.dirty.copy(to, from, kept);
            self.kernel.remove(from, from + old_len);
            shadow::clear(from, old_len);
        } else {
            self.kernel.remove(from, from + old_len);
        }
        shadow::clear(to + kept, new_len - kept);
        self.kernel.remove(to, to + new_len);
        self.kernel.add(Mapping { start: to, end: to + new_len, shared });
    }

    /// Notes symbolic memory that was visible elsewhere, at the end of a run.
    pub(super) fn note_shared(&self) {
        let mappings = &self.kernel.mappings[..self.kernel.n];
        let is_lost = |old: &Mapping| old.shared && shadow::may_be_symbolic(old.start, old.end - old.start);
        if mappings.iter().any(is_lost) {
            note(NoteKind::ReadBack, Site::NONE, 0);
        }
    }
}
