//! Loads and stores whose address depends on inputs.
//!
//! The objects that an address can point to follow from how it was computed: a known address plus an offset, a choice
//! between pointers, a pointer read from a table. The object that it falls into, or none, is a decision. Inside an
//! object the access is exact ([`super::arrays`]). An address that could be anything is concretised to its value.

use tine_trace::entry::{ACCESS_WRITES, MAX_ACCESS};
use tine_trace::eval::mask;
use tine_trace::event::{ConcretiseReason, EventKind, NoteKind, Site};
use tine_trace::op::{ArrayOp, Op};
use tine_trace::outcome::{ErrorKind, Fault};

use super::arena::CONCRETISED;
use super::arrays::Word;
use super::forbidden::{self, Access};
use super::objects::is_input;
use super::places::{self, Place};
use super::state::Recorder;
use super::term::Term;
use super::{failure, note};

/// No object lies below this address: Linux maps nothing in the first 64 KiB.
const LOWEST_ADDRESS: u64 = 1 << 16;

/// Maximum number of objects that one address may point to.
const MAX_CANDIDATES: usize = 64;
/// Maximum nesting of nodes that are examined to see how an address was computed.
const MAX_NESTING: u32 = 12;

/// The current accesses.
#[derive(Debug)]
pub(super) struct Pending {
    reads: Part,
    writes: Part,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    active: bool,
    region: usize,
    /// From the region's start.
    offset: Term,
    size: u32,
}

impl Pending {
    /// Ends the current accesses.
    pub(super) fn end(&mut self) {
        self.reads.active = false;
        self.writes.active = false;
    }
}

/// Mapped memory of a process.
const ADDRESSES: core::ops::Range<u64> = 1 << 16..1 << 47;

/// Objects that an address may point to.
struct Candidates {
    places: [Place; MAX_CANDIDATES],
    n: usize,
    /// True if there may be other objects.
    open: bool,
    /// True if some values point to no object and are not offsets: addresses of functions, or of memory that was not
    /// registered.
    strange: bool,
    /// True if the computation of an address counts even where the path determines its value.
    as_made: bool,
}

impl Candidates {
    fn none(as_made: bool) -> Candidates {
        Candidates { places: [Place { base: 0, len: 0 }; MAX_CANDIDATES], n: 0, open: false, strange: false, as_made }
    }

    fn list(&self) -> &[Place] {
        &self.places[..self.n]
    }

    /// Adds the object that `value` points to.
    fn add_at(&mut self, value: u64) {
        match places::find(value) {
            Some(place) => self.add(place),
            None => self.strange |= ADDRESSES.contains(&value),
        }
    }

    /// True if an address points to memory that was not registered, such as arguments and variables that the process
    /// began with, or data of a library. Only the machine knows if such memory is readable. Memory close to the
    /// candidates does not count, and neither do the heap, the stack and input objects.
    fn are_left_for(&self, address: u64) -> bool {
        const CLOSE: u64 = 1 << 20;
        let is_close = |place: &Place| address.wrapping_sub(place.base.wrapping_sub(CLOSE)) < place.len + 2 * CLOSE;
        let is_ours = places::on_heap(address) || places::on_stack(address) || is_input(address);
        self.strange && ADDRESSES.contains(&address) && !is_ours && !self.list().iter().any(is_close)
    }

    fn add(&mut self, place: Place) {
        if self.list().contains(&place) {
            return;
        }
        if self.n == MAX_CANDIDATES {
            self.open = true;
            return;
        }
        self.places[self.n] = place;
        self.n += 1;
    }
}

impl Recorder {
    /// `access`: `node` is used next as the address of `size` bytes.
    pub(super) fn access(&mut self, site: Site, node: u32, address: u64, size: u32) {
        let (writes, size) = (size & ACCESS_WRITES != 0, size & !ACCESS_WRITES);
        let part = if writes { &mut self.pending.writes } else { &mut self.pending.reads };
        part.active = false;
        if size > MAX_ACCESS {
            self.use_address(site, node, ConcretiseReason::Address);
            return self.note_access(site, address, writes);
        }
        if self.arena.get(node).is_none_or(|node| node.value[0] != address) {
            note(NoteKind::Stale, Site::NONE, 0);
            return;
        }
        self.use_pointer(site, node, size, access_of(writes));
        // A copy of zero bytes.
        if size == 0 {
            return;
        }
        self.note_access(site, address, writes);
        if self.is_fixed(node, MAX_NESTING) || self.is_decided(node) {
            self.reject_number(node, address);
            self.stay_inside(site, node, address, access_of(writes));
            return self.look_inside(site, node, address, u64::from(size), writes);
        }
        let mut candidates = Candidates::none(false);
        self.find_candidates(node, u64::from(size), false, MAX_NESTING, &mut candidates);
        if candidates.n == 0 || candidates.open {
            self.concretise(node, site, ConcretiseReason::Address);
            self.reject_number(node, address);
            self.stay_inside(site, node, address, access_of(writes));
            return;
        }
        let n = candidates.n;
        candidates.places[..n].sort_unstable_by_key(|place| place.base);
        let Some(place) = self.decide_place(site, node, size, candidates.list()) else {
            if candidates.are_left_for(address) {
                return self.concretise(node, site, ConcretiseReason::Address);
            }
            return self.went_outside(site, node, size, candidates.list(), writes);
        };
        self.begin_access(site, node, place, size, writes);
    }

    /// Checks an address whose value the path determines. It may still lie outside of the object that it was computed
    /// from.
    fn look_inside(&mut self, site: Site, node: u32, address: u64, size: u64, writes: bool) {
        if places::find(address).is_some_and(|place| place.holds(address, size)) {
            return;
        }
        let mut candidates = Candidates::none(true);
        self.find_candidates(node, size, false, MAX_NESTING, &mut candidates);
        let is_inside = candidates.list().iter().any(|place| place.holds(address, size));
        if candidates.n > 0 && !candidates.open && !is_inside && !candidates.are_left_for(address) {
            let access = access_of(writes);
            out_of_bounds(site, access, [address, size], candidates.list());
        }
    }

    /// Decides which object the address points to; `None` if outside of all of them.
    fn decide_place(&mut self, site: Site, node: u32, size: u32, candidates: &[Place]) -> Option<Place> {
        let address = self.term(node)?;
        if let [only] = candidates {
            let inside = self.is_inside(address, *only, size);
            if inside.id != 0 {
                self.check(site, inside.id, inside.value != 0);
            }
            return (inside.value != 0).then_some(*only);
        }
        let mut which = Term::concrete(16, candidates.len() as u128);
        for (number, place) in candidates.iter().enumerate().rev() {
            let inside = self.is_inside(address, *place, size);
            which = self.ite(inside, Term::concrete(16, number as u128), which);
        }
        if which.id != 0 && !self.is_fixed(which.id, 2) {
            let sides = candidates.len() as u32 + 1;
            if self.decide(EventKind::Choice, site, which.id, which.value as u16, sides) {
                self.know_value(which.id);
            }
        }
        candidates.get(which.value as usize).copied()
    }

    /// `__tine_freeing`: the pointer at `at`, with the value `address`, is passed to `free` or `realloc` next. The
    /// object, or none, is a decision. Returns false if no decision was made.
    pub(super) fn freeing(&mut self, site: Site, at: u64, address: u64) -> bool {
        let node = self.load(at, 8, u128::from(address));
        if node == 0 {
            return false;
        }
        self.use_pointer(site, node, 0, Access::Read);
        self.reject_number(node, address);
        if self.pointer_in(node, 8) == Some(node) {
            return false;
        }
        if self.is_fixed(node, MAX_NESTING) || self.is_decided(node) {
            return true;
        }
        let mut candidates = Candidates::none(false);
        self.find_candidates(node, 1, false, MAX_NESTING, &mut candidates);
        if candidates.n == 0 || candidates.open {
            self.concretise(node, site, ConcretiseReason::Address);
            return true;
        }
        let n = candidates.n;
        candidates.places[..n].sort_unstable_by_key(|place| place.base);
        let Some(pointer) = self.term(node) else { return false };
        // NULL may be freed, too.
        let bases = candidates.list().iter().map(|place| place.base).chain([0]);
        let mut which = Term::concrete(16, n as u128 + 1);
        for (number, base) in bases.enumerate() {
            let is_it = self.binary(Op::Eq, pointer, Term::concrete(64, u128::from(base)));
            which = self.ite(is_it, Term::concrete(16, number as u128), which);
        }
        if which.id != 0
            && !self.is_fixed(which.id, 2)
            && self.decide(EventKind::Choice, site, which.id, which.value as u16, n as u32 + 2)
        {
            self.know_value(which.id);
        }
        if which.value as usize <= n {
            self.know_value(node);
        } else if is_input(address) {
            failure::found(site, ErrorKind::InvalidFree, Fault::default());
        }
        true
    }

    fn is_inside(&mut self, address: Term, place: Place, size: u32) -> Term {
        if place.len < u64::from(size) {
            return Term::concrete(1, 0);
        }
        let offset = self.binary(Op::Sub, address, Term::concrete(64, u128::from(place.base)));
        let in_room = self.binary(Op::Ule, offset, Term::concrete(64, u128::from(place.len - u64::from(size))));
        let Some(len) = self.size_of(place) else { return in_room };
        let end = self.binary(Op::Add, offset, Term::concrete(64, u128::from(size)));
        let in_object = self.binary(Op::Ule, end, len);
        self.binary(Op::And, in_room, in_object)
    }

    /// Begins an access to an address in this object.
    fn begin_access(&mut self, site: Site, node: u32, place: Place, size: u32, writes: bool) {
        let Some(address) = self.term(node) else { return };
        if place.len == u64::from(size) && self.size_of(place).is_none() {
            // There is only one possible object.
            self.know_value(node);
            return;
        }
        let region = self.arrays.region(place).filter(|region| !writes || self.arrays.has_room(*region));
        let unit = [8, 4, 2].into_iter().find(|unit| size.is_multiple_of(*unit)).unwrap_or(1);
        let Some(region) = region.filter(|region| self.sync(*region, unit)) else {
            self.concretise(node, site, ConcretiseReason::Address);
            return;
        };
        if !writes && self.arrays.has_unset(region) {
            note(NoteKind::Unset, site, 0);
        }
        let base = Term::concrete(64, u128::from(self.arrays.base(region)));
        let offset = self.binary(Op::Sub, address, base);
        let part = Part { active: offset.id != 0, region, offset, size };
        *(if writes { &mut self.pending.writes } else { &mut self.pending.reads }) = part;
    }

    /// Handles an address in none of the objects it was computed from.
    fn went_outside(&mut self, site: Site, node: u32, size: u32, candidates: &[Place], writes: bool) {
        let Some(address) = self.arena.get(node).map(|node| node.value[0]) else { return };
        if candidates.iter().any(|place| is_input(place.base)) {
            // An input object can grow: it may only be too short.
            self.leave(site, node, address, access_of(writes));
        }
        // It may be in the next object after all, if the pointer was moved away from that one: `a - 1` lies in the
        // object before `a`. Objects of the heap have no neighbours.
        let next = |place: &Place| {
            let end = place.base + place.len;
            places::find(address)
                .is_some_and(|found| found.holds(address, u64::from(size)) && found.base.wrapping_sub(end) < 64)
        };
        if candidates.iter().any(|place| !places::on_heap(place.base) && next(place)) {
            self.concretise(node, site, ConcretiseReason::Address);
        } else {
            let access = access_of(writes);
            out_of_bounds(site, access, [address, u64::from(size)], candidates);
        }
    }

    /// Finds the objects that `node` may point to. `moved` tells that something was added to it.
    fn find_candidates(&self, node: u32, size: u64, moved: bool, nesting: u32, candidates: &mut Candidates) {
        let Some(made) = self.arena.get(node) else { return };
        let value = made.value[0];
        if made.op == Op::Const as u8 || made.flags & CONCRETISED != 0 && !candidates.as_made {
            match places::find(value) {
                Some(place) => {
                    candidates.add(place);
                    // The end of one object may be the start of the next.
                    if let Some(other) = places::before(value).filter(|_| moved && place.base == value) {
                        candidates.add(other);
                    }
                }
                // A separate variable on the stack.
                None if places::on_stack(value) && !moved => candidates.add(Place { base: value, len: size }),
                None if places::on_stack(value) => candidates.open = true,
                None => candidates.add_at(value),
            }
            return;
        }
        if nesting == 0 || made.width != 64 {
            return;
        }
        let nesting = nesting - 1;
        match Op::from_number(made.op) {
            // An index that is masked or combined from several numbers, not a pointer with a tag.
            Some(Op::And | Op::Or | Op::Xor) if self.bounds(node).most < LOWEST_ADDRESS => {}
            // Tags are stored in the low bits and masked out of them.
            Some(Op::Add | Op::And | Op::Or) => {
                // One operand is the pointer. If both look like pointers, nothing is known.
                let mut found = |of: u32| {
                    let (n, strange) = (candidates.n, core::mem::take(&mut candidates.strange));
                    self.find_candidates(of, size, true, nesting, candidates);
                    (n < candidates.n, core::mem::replace(&mut candidates.strange, strange))
                };
                let [(in_a, strange_a), (in_b, strange_b)] = [found(made.a), found(made.b)];
                candidates.open |= in_a && in_b;
                candidates.strange |= strange_a && (in_a || !in_b) || strange_b && (in_b || !in_a);
            }
            Some(Op::Xor) => {
                let values = self.values(node);
                candidates.open |= values.open;
                values.list().iter().for_each(|value| candidates.add_at(*value));
            }
            Some(Op::Sub) => self.find_candidates(made.a, size, true, nesting, candidates),
            Some(Op::Ite) => {
                self.find_candidates(made.b, size, moved, nesting, candidates);
                self.find_candidates(made.c, size, moved, nesting, candidates);
            }
            _ if made.op == ArrayOp::Select as u8 => {
                let array = made.a;
                self.words(array, &mut |word| match word {
                    Word::Node(node) => self.find_candidates(node, size, moved, nesting, candidates),
                    Word::Value(0) => {}
                    Word::Value(value) => candidates.add_at(value),
                });
                // Not every computation of a pointer is recognised (in halves, or through too many others). A pointer
                // to an object outside of the list reveals this.
                candidates.open |= places::find(value).is_some_and(|place| !candidates.list().contains(&place));
            }
            _ => {}
        }
    }

    /// True if the next `read` handles the load that comes now. Then the memory at this run's address must not be
    /// examined. It would make nodes that another run on the same path, with another address, would number differently.
    pub(super) fn is_reading(&self) -> bool {
        self.pending.reads.active
    }

    /// True if the address of the access depends on inputs.
    pub(super) fn is_pending(&self, access: Access) -> bool {
        match access {
            Access::Read => self.pending.reads.active,
            Access::Write => self.pending.writes.active,
        }
    }

    /// `read`: the value read by the preceding access. Its shadow is `loaded` if the address was certain.
    pub(super) fn read(&mut self, loaded: u32, value: u128) -> u32 {
        let Part { active, region, offset, size } = self.pending.reads;
        self.pending.reads.active = false;
        if !active {
            return loaded;
        }
        let array = self.arrays.array(region);
        self.array_read(array, offset, size, value & mask(size * 8))
    }

    /// `wrote`: the preceding access wrote this value.
    pub(super) fn wrote(&mut self, node: u32, value: u128) {
        let Part { active, region, offset, size } = self.pending.writes;
        self.pending.writes.active = false;
        if active {
            let value = self.operand(node, size * 8, value);
            self.array_put(region, offset, value);
            self.array_wrote(region, offset, size);
        }
    }

    /// `copied`: `len` bytes were copied, with the preceding accesses. The bytes from `from` are now at `to`.
    pub(super) fn copied(&mut self, [to_node, from_node]: [u32; 2], to: u64, from: u64, len: u64) {
        let (reads, writes) = (self.pending.reads, self.pending.writes);
        self.pending.end();
        let (reading, writing) = (from_node != 0 && reads.active, to_node != 0 && writes.active);
        if !reading && !writing {
            return self.dirty.copy(to, from, len);
        }
        let array = self.arrays.array(reads.region);
        for (at, size) in pieces(len) {
            // SAFETY: the copy has just been made.
            let value = unsafe { bytes_at(to + at, size) };
            let id = if reading {
                let offset = self.binary(Op::Add, reads.offset, Term::concrete(64, u128::from(at)));
                self.array_read(array, offset, size, value)
            } else {
                self.load(from + at, size, value)
            };
            if writing {
                let value = self.operand(id, size * 8, value);
                let offset = self.binary(Op::Add, writes.offset, Term::concrete(64, u128::from(at)));
                self.array_put(writes.region, offset, value);
            } else {
                self.store(to + at, size, id);
            }
        }
        if writing {
            self.array_wrote(writes.region, writes.offset, len as u32);
        }
    }

    /// `filled`: each of `len` bytes is `node` now, with the preceding access.
    pub(super) fn filled(&mut self, node: u32, to: u64, len: u64) {
        let writes = self.pending.writes;
        self.pending.writes.active = false;
        if !writes.active {
            return self.fill(to, node, len);
        }
        for (at, size) in pieces(len) {
            // SAFETY: the memory has just been filled.
            let byte = unsafe { bytes_at(to + at, 1) };
            let byte = self.operand(node, 8, byte);
            let value = (1..size).fold(byte, |value, _| self.concat(value, byte));
            let offset = self.binary(Op::Add, writes.offset, Term::concrete(64, u128::from(at)));
            self.array_put(writes.region, offset, value);
        }
        self.array_wrote(writes.region, writes.offset, len as u32);
    }
}

fn access_of(writes: bool) -> Access {
    if writes { Access::Write } else { Access::Read }
}

/// Reports an access that lies in none of the candidate objects: the nearest one is named.
fn out_of_bounds(site: Site, access: Access, [address, len]: [u64; 2], candidates: &[Place]) {
    let kind = if access == Access::Write { ErrorKind::OutOfBoundsWrite } else { ErrorKind::OutOfBoundsRead };
    let distance = |place: &&Place| place.base.abs_diff(address).min((place.base + place.len).abs_diff(address));
    let nearest = candidates.iter().min_by_key(distance).copied();
    failure::found(site, kind, forbidden::fault(address, len, nearest, access));
}

/// Splits a length into pieces of 8 bytes, then smaller ones. Returns their offsets and sizes.
fn pieces(len: u64) -> impl Iterator<Item = (u64, u32)> {
    let words = len / 8;
    let rest = (words * 8..len).map(|at| (at, 1));
    (0..words).map(|k| (k * 8, 8)).chain(rest)
}

/// # Safety
/// They must be readable.
unsafe fn bytes_at(address: u64, size: u32) -> u128 {
    // SAFETY: the caller guarantees it.
    let byte = |k: u32| unsafe { *core::ptr::with_exposed_provenance::<u8>((address + u64::from(k)) as usize) };
    (0..size).fold(0, |value, k| value | u128::from(byte(k)) << (k * 8))
}
