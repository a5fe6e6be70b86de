//! Uninstrumented code: which functions are uninstrumented, and which memory they can read.
//!
//! A callee is recognised by its address: modules list their instrumented functions, and the address range of the C
//! library's code is known. The C library knows only the memory of the program that a call passes to it. Other code
//! knows more: variables that it can name, and all memory it has received before, with everything reachable from there.
//! So the objects passed to it are remembered during the run:
//!
//! ```text
//!   given    │ variables that it can name │ objects handed over │ objects that were reached from them …
//! ```
//! At each call all of it is searched for symbolic bytes, and for pointers to objects that are not in the list yet. The
//! search ignores types, like a conservative garbage collector: every aligned word that is the address of an object
//! counts.

use core::ptr::with_exposed_provenance_mut;

use tine_trace::entry::{
    CALLEE_FOLLOWED, CALLEE_LIBRARY, CALLEE_OTHER, ESCAPE_FOLLOWS, ESCAPE_NUMBER, ESCAPE_RETURNED, Variable,
};
use tine_trace::event::{NoteKind, Site};
use tine_trace::layout::STACK_BASE;

use super::modules::modules;
use super::note;
use super::places::{self, Place};
use super::state::{FUNCTIONS, FUNCTIONS_LEN, GIVEN, GIVEN_INDEX, GIVEN_INDEX_LEN, GIVEN_LEN, Recorder};
use crate::process;
use crate::process::heap::{Life, Object, object_of};

/// Maximum number of remembered objects.
const MAX_GIVEN: u32 = (GIVEN_LEN / size_of::<Given>() as u64) as u32;
const INDEX_SLOTS: u32 = (GIVEN_INDEX_LEN / 4) as u32;
/// Number of bytes that a run searches. When they are used up, all reachable memory counts as symbolic.
const BUDGET: u64 = 512 << 20;
/// Size assumed for memory at an address that lies in no known object: most C objects are not larger.
const USUAL: u64 = 256;
/// The same for the stack, where only arrays and structures are known as objects.
const SCALAR: u64 = 16;
/// Maximum number of remembered sites with notes, so that they are not searched again.
const MAX_NOTED: usize = 64;
const WORD: u64 = 8;

/// Memory that uninstrumented code received in this run.
#[derive(Debug)]
pub(super) struct Foreign {
    n: u32,
    /// Number of modules whose variables are in the list.
    n_modules: u32,
    budget: u64,
    noted: [Site; MAX_NOTED],
    n_noted: usize,
}

/// An object that was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Given {
    place: Place,
    /// For an object of the heap: distinguishes it from another one at the same address.
    order: u32,
}

impl Given {
    fn new(place: Place) -> Given {
        Given { place, order: object_of(place.base).map_or(0, |object| object.order) }
    }

    /// True if the object still exists.
    fn is_alive(self) -> bool {
        let base = self.place.base;
        if places::on_stack(base) {
            let here = core::hint::black_box(0u8);
            return base > &raw const here as u64;
        }
        let is_same = |object: Object| object.life == Life::Live && object.order == self.order;
        !places::on_heap(base) || object_of(base).is_some_and(is_same)
    }
}

impl Foreign {
    pub(super) fn begin(&mut self) {
        if self.n > 0 {
            // SAFETY: the mapping is the recorder's own.
            unsafe { index().write_bytes(0, INDEX_SLOTS as usize) };
        }
        *self = Foreign { n: 0, n_modules: 0, budget: BUDGET, noted: [Site::NONE; MAX_NOTED], n_noted: 0 };
    }

    fn is_noted(&self, site: Site) -> bool {
        self.noted[..self.n_noted.min(MAX_NOTED)].contains(&site)
    }

    fn note(&mut self, site: Site) {
        note(NoteKind::ExternCall, site, 0);
        if !self.is_noted(site) {
            self.noted[self.n_noted % MAX_NOTED] = site;
            self.n_noted += 1;
        }
    }

    /// Remembers an object that is not in the list yet.
    fn give(&mut self, place: Place) {
        let new = Given::new(place);
        let mut slot = hash(place.base ^ place.len << 40) as u32 % INDEX_SLOTS;
        loop {
            // SAFETY: a slot of the index; the object that it names is in the list.
            let entry = unsafe { &mut *index().add(slot as usize) };
            match *entry {
                0 if self.n == MAX_GIVEN => return self.budget = 0,
                0 => {
                    // SAFETY: there is room in the list.
                    unsafe { given().add(self.n as usize).write(new) };
                    self.n += 1;
                    *entry = self.n;
                    return;
                }
                // SAFETY: as above.
                known if unsafe { *given().add(known as usize - 1) } == new => return,
                _ => slot = (slot + 1) % INDEX_SLOTS,
            }
        }
    }

    /// Remembers the variables that uninstrumented code can name.
    fn give_variables(&mut self) {
        let n_modules = modules().count() as u32;
        if n_modules == self.n_modules {
            return;
        }
        self.n_modules = n_modules;
        for module in modules() {
            // SAFETY: modules are loaded, and the instrumenter wrote address and length of the table.
            let exported = unsafe {
                let start = with_exposed_provenance_mut::<Variable>((*module).exported as usize);
                if start.is_null() {
                    &[][..]
                } else {
                    core::slice::from_raw_parts(start, (*module).n_exported as usize)
                }
            };
            for variable in exported.iter().filter(|variable| variable.address != 0) {
                let len = if variable.len == 0 { USUAL } else { variable.len };
                self.give(Place { base: variable.address, len });
            }
        }
    }
}

fn given() -> *mut Given {
    with_exposed_provenance_mut(GIVEN as usize)
}

/// Open addressing: 1 + an object's number in the list.
fn index() -> *mut u32 {
    with_exposed_provenance_mut(GIVEN_INDEX as usize)
}

fn hash(value: u64) -> u64 {
    value.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}

/// Open addressing: addresses of instrumented functions.
const MAX_FUNCTIONS: u64 = FUNCTIONS_LEN / 8;

fn function_slot(slot: u64) -> *mut u64 {
    with_exposed_provenance_mut((FUNCTIONS + slot % MAX_FUNCTIONS * 8) as usize)
}

/// Adds the functions of a module to the list of instrumented ones.
pub(super) fn register_functions(functions: &[u64]) {
    for function in functions {
        let first = hash(*function);
        for slot in first..first + MAX_FUNCTIONS {
            // SAFETY: the mapping is the recorder's own; constructors run one at a time.
            let entry = unsafe { &mut *function_slot(slot) };
            if *entry == 0 || *entry == *function {
                *entry = *function;
                break;
            }
        }
    }
}

fn is_instrumented(function: u64) -> bool {
    let first = hash(function);
    for slot in first..first + MAX_FUNCTIONS {
        // SAFETY: as in `register_functions`; it is written only while modules are loaded.
        let entry = unsafe { *function_slot(slot) };
        if entry == function || entry == 0 {
            return entry == function;
        }
    }
    false
}

/// True for `atexit`, which the C library links into each program.
fn is_atexit(function: u64) -> bool {
    #[cfg(not(test))]
    {
        unsafe extern "C" {
            fn atexit(function: extern "C" fn()) -> i32;
        }
        function == atexit as *const () as u64
    }
    #[cfg(test)]
    {
        let _ = function;
        false
    }
}

/// Kind of the function at an address.
pub(super) fn callee(function: u64) -> u32 {
    if is_instrumented(function) {
        CALLEE_FOLLOWED
    } else if process::is_library(function) || is_atexit(function) {
        CALLEE_LIBRARY
    } else {
        CALLEE_OTHER
    }
}

impl Recorder {
    /// `calling`: uninstrumented code is called next.
    pub(super) fn calling(&mut self, site: Site) {
        let here = core::hint::black_box(0u8);
        let here = &raw const here as u64;
        let dead = STACK_BASE..if places::on_stack(here) { here } else { STACK_BASE };
        if self.foreign.is_noted(site) || !self.dirty.is_used_outside(dead) {
            return;
        }
        self.foreign.give_variables();
        if self.search_given(0) {
            self.foreign.note(site);
        }
    }

    /// `escape`.
    pub(super) fn escape(&mut self, site: Site, how: u32, address: u64, len: u64) {
        if how & CALLEE_OTHER == 0 && how & ESCAPE_FOLLOWS == 0 {
            // A function that reads only the object itself.
            if how & (ESCAPE_NUMBER | ESCAPE_RETURNED) == 0
                && address != 0
                && self.is_symbolic(address, self.extent(address, len))
            {
                note(NoteKind::ExternCall, site, 0);
            }
            return;
        }
        if self.foreign.is_noted(site) {
            return;
        }
        let place = match self.place_of(address) {
            Some(place) => place,
            None if how & ESCAPE_NUMBER != 0 || address == 0 => return,
            None => Place { base: address, len: if len == 0 { USUAL } else { len } },
        };
        let first = self.foreign.n;
        self.foreign.give(place);
        if how & ESCAPE_RETURNED == 0 && self.search_given(first) {
            self.foreign.note(site);
        }
        if how & CALLEE_OTHER == 0 {
            self.forget_given(first);
        }
    }

    /// Bytes from an address to the end of its object, if the caller does not know the length (0).
    fn extent(&self, address: u64, len: u64) -> u64 {
        match self.place_of(address) {
            Some(place) if len == 0 && places::on_stack(address) => place.base + place.len - address,
            _ => len,
        }
    }

    /// Searches the objects from number `first` on, and the objects found on the way, for symbolic bytes.
    fn search_given(&mut self, first: u32) -> bool {
        let mut next = first;
        while next < self.foreign.n {
            // SAFETY: entries below `n` are written.
            let object = unsafe { *given().add(next as usize) };
            next += 1;
            if !object.is_alive() {
                continue;
            }
            let place = object.place;
            self.foreign.budget = self.foreign.budget.saturating_sub(place.len.max(64));
            if self.foreign.budget == 0 || self.is_symbolic(place.base, place.len) {
                return !self.dirty.is_clean();
            }
            self.follow(place);
        }
        false
    }

    /// Remembers the objects that the words of an object point to.
    fn follow(&mut self, place: Place) {
        if self.place_of(place.base).is_none() {
            // It may not be mapped.
            return;
        }
        let (first, end) = (place.base.next_multiple_of(WORD), place.base + place.len);
        for at in (first..end).step_by(WORD as usize).take_while(|at| at + WORD <= end) {
            // SAFETY: a live object of the program.
            let word = unsafe { with_exposed_provenance_mut::<u64>(at as usize).read() };
            if word > u64::from(u32::MAX)
                && let Some(found) = self.place_of(word)
            {
                self.foreign.give(found);
            }
        }
    }

    /// Removes objects from number `first` on: the C library does not keep them.
    fn forget_given(&mut self, first: u32) {
        if self.foreign.n == first {
            return;
        }
        self.foreign.n = first;
        // SAFETY: the mapping is the recorder's own.
        unsafe { index().write_bytes(0, INDEX_SLOTS as usize) };
        for number in 0..core::mem::take(&mut self.foreign.n) {
            // SAFETY: entries below `n` were written, and stay where they are.
            self.foreign.give(unsafe { *given().add(number as usize) }.place);
        }
    }

    /// The object that an address lies in.
    fn place_of(&self, address: u64) -> Option<Place> {
        if places::on_stack(address) {
            return Some(places::find(address).unwrap_or(Place { base: address, len: SCALAR }));
        }
        places::find(address).filter(|place| place.len > 0).or_else(|| self.kernel.place_of(address))
    }
}
