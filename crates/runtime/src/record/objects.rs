//! Objects made for inputs: laid out in the input region before the first request, observed when they are used.
//!
//! ```text
//!   INPUTS_BASE   slot 0        slot 1        slot 2 …        each `1 << slot_shift` bytes
//!                 [extent|…   ] [extent   |…] [extent|…   ]
//! ```
//! An object has its maximum number of elements from the start. Each byte becomes a variable when it is first read. So
//! the object grows in place, and bytes that the unit does not read cost nothing. An access beyond the extent ends the
//! run: this is a bound, not an error.

use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};

use tine_trace::event::{ConcretiseReason, EventKind, NoteKind, Site, placed};
use tine_trace::fill::fill;
use tine_trace::layout::{CELL_FREED, INPUTS_BASE, INPUTS_LEN};
use tine_trace::node::Node;
use tine_trace::op::Op;
use tine_trace::outcome::{ErrorKind, Fault, Storage};
use tine_trace::plan::{
    CHARACTERS, InputKind, MAX_SLOTS, POINTER_WORD, PlanObject, TEXT, ZERO_FILL, object_address, object_id, slot_of,
};

use super::arena::CONCRETISED;
use super::failure;
use super::forbidden::{self, Access};
use super::input::{self, What};
use super::note;
use super::places::{self, Place, is_memory};
use super::plan::Plan;
use super::state::{self, Recorder};
use super::term::Term;
use super::walls;
use crate::process::heap::BadFree;
use crate::{process, sys};

/// True once the region is reserved.
static MAPPED: AtomicBool = AtomicBool::new(false);
/// Functions announced by `__tine_functions`.
static FUNCTIONS: AtomicPtr<u64> = AtomicPtr::new(core::ptr::null_mut());
static N_FUNCTIONS: AtomicU32 = AtomicU32::new(0);

/// Number in the `side` of an aliasing choice for a pointer that holds a number.
const NUMBER: u64 = 1;

/// Maximum number of pointers with a length given by the harness.
const MAX_LENGTHS: usize = 32;
/// Maximum number of elements that is distinguished: no object has more.
const MAX_COUNT: u128 = 1 << 32;

/// Objects of a run.
#[derive(Debug)]
pub(super) struct Objects {
    /// By slot: 1 + the rank in the order in which the path met the object; 0 if not met.
    ranks: [u16; MAX_SLOTS as usize],
    met: [u16; MAX_SLOTS as usize],
    n_met: u32,
    lengths: [Length; MAX_LENGTHS],
    n_lengths: u32,
    /// By bits of `TEXT` and `CHARACTERS`: such an object was written.
    written: [bool; 4],
    /// Later reads were recorded.
    crossed: bool,
    /// True if the last check that failed was of the alignment of a number.
    misaligned_number: bool,
}

/// "This pointer points to this many elements."
#[derive(Clone, Copy, Debug)]
struct Length {
    /// The pointer's node.
    pointer: u32,
    address: u64,
    /// 64 bits wide.
    count: Term,
    element: u64,
    /// The user has stated the length.
    is_stated: bool,
}

/// Reserves the region, once per process and before the sandbox.
pub(super) fn init() {
    if !MAPPED.swap(true, Ordering::Relaxed) && sys::reserve(INPUTS_BASE, INPUTS_LEN).is_err() {
        let _ = sys::write(2, b"tine: cannot reserve address space for inputs (is it limited, by `ulimit -v`?)\n");
        sys::exit_group(125);
    }
}

/// Makes the plan's objects.
pub(super) fn lay_out(plan: Plan) {
    let header = plan.header();
    if header.n_objects == 0 {
        return;
    }
    init();
    let seed = process::fill_seed();
    for object in (0..header.n_objects).map(|index| plan.object(index)) {
        let address = object_address(object.slot, object.start, header.slot_shift);
        let bytes = plan.bytes(object.bytes);
        let bytes = &bytes[..bytes.len().min(object.extent as usize)];
        let seed = if object.flags & ZERO_FILL != 0 { 0 } else { seed };
        // SAFETY: the slot is mapped, and an extent lies in its slot.
        unsafe {
            process::memory::copy(address, bytes.as_ptr() as u64, bytes.len() as u64);
            if seed == 0 {
                process::memory::zero(address + bytes.len() as u64, u64::from(object.extent) - bytes.len() as u64);
            } else {
                for offset in bytes.len() as u32..object.extent {
                    let byte = fill(seed, object_id(object.slot), offset);
                    (address as *mut u8).add(offset as usize).write(byte);
                }
            }
            if object.flags & TEXT != 0 && object.extent > 0 {
                (address as *mut u8).add(object.extent as usize - 1).write(0);
            }
            relocate(plan, object_id(object.slot), address as *mut u8, u64::from(object.extent));
            let what = What {
                id: object_id(object.slot),
                kind: InputKind::Object as u32,
                choices: object.flags & !ZERO_FILL,
                ty: 0,
            };
            input::become_input(address, u64::from(object.extent), b"", what);
        }
    }
}

/// Calls `each` with start and end of every object of the plan.
pub(super) fn for_each(each: &mut dyn FnMut(u64, u64)) {
    let Some(plan) = Plan::get() else { return };
    let header = plan.header();
    for object in (0..header.n_objects).map(|index| plan.object(index)) {
        let address = object_address(object.slot, object.start, header.slot_shift);
        each(address, address + u64::from(object.extent));
    }
}

/// Writes the addresses of functions into an input that was copied to `to`.
///
/// # Safety
/// `to` must be writable for `size` bytes.
pub(super) unsafe fn relocate(plan: Plan, id: u32, to: *mut u8, size: u64) {
    let table = FUNCTIONS.load(Ordering::Relaxed);
    let n_functions = N_FUNCTIONS.load(Ordering::Relaxed);
    for relocation in (0..plan.header().n_relocations).map(|index| plan.relocation(index)) {
        if relocation.input == id && u64::from(relocation.offset) + 8 <= size && relocation.function < n_functions {
            // SAFETY: inside `to`; the table has that many entries.
            unsafe {
                let address = *table.add(relocation.function as usize);
                to.add(relocation.offset as usize).cast::<u64>().write_unaligned(address);
            }
        }
    }
}

pub(super) fn set_functions(table: *const u64, n: u32) {
    FUNCTIONS.store(table.cast_mut(), Ordering::Relaxed);
    N_FUNCTIONS.store(n, Ordering::Relaxed);
}

/// True if the unit announced this address by `__tine_functions`.
fn is_function(address: u64) -> bool {
    let table = FUNCTIONS.load(Ordering::Relaxed);
    let n = N_FUNCTIONS.load(Ordering::Relaxed) as usize;
    // SAFETY: the unit announced this number.
    !table.is_null() && unsafe { core::slice::from_raw_parts(table, n) }.contains(&address)
}

/// True if an address lies in the input region.
pub(crate) fn is_input(address: u64) -> bool {
    address.wrapping_sub(INPUTS_BASE) < INPUTS_LEN
}

/// Bytes from an address of the input region to the end of its object; 0 if it lies in none.
pub(crate) fn extent_at(address: u64) -> u64 {
    let Some(plan) = Plan::get() else { return 0 };
    object_at(plan, address).map_or(0, |(object, offset)| u64::from(object.extent).saturating_sub(offset))
}

/// The object in whose slot an address lies, and the offset from its start. An address before the start gives a huge
/// offset.
pub(super) fn object_at(plan: Plan, address: u64) -> Option<(PlanObject, u64)> {
    let (slot, offset) = slot_of(address, plan.header().slot_shift)?;
    plan.object_in(slot).map(|object| (object, offset.wrapping_sub(u64::from(object.start))))
}

/// The object of the input region that an address lies in.
pub(super) fn place_of(address: u64) -> Option<Place> {
    let (object, offset) = object_at(Plan::get()?, address)?;
    Some(Place { base: address.wrapping_sub(offset), len: u64::from(object.extent) })
}

/// `__tine_length`.
///
/// # Safety
/// `pointer` must be readable, `count` for `count_size` bytes, 1 to 8.
pub(super) unsafe fn length(pointer: *const u64, count: *const u8, count_size: u64, element: u64, is_stated: bool) {
    let Some(plan) = Plan::get() else { return };
    // SAFETY: the caller guarantees both.
    let (address, mut bytes) = unsafe { (*pointer, [0u8; 8]) };
    // SAFETY: as above.
    unsafe { core::ptr::copy_nonoverlapping(count, bytes.as_mut_ptr(), count_size.min(8) as usize) };
    let value = u128::from(u64::from_le_bytes(bytes));
    if !process::exploring() {
        // SAFETY: a variable of the harness.
        unsafe { walls::put(plan, pointer.cast_mut(), (value as u64).wrapping_mul(element)) };
        return;
    }
    let Some(recorder) = state::recorder() else { return };
    let width = count_size as u32 * 8;
    let node = recorder.load(count as u64, count_size as u32, value);
    let count = recorder.operand(node, width, value);
    let count = recorder.zext(count, 64);
    let pointer = recorder.load(pointer as u64, 8, u128::from(address));
    let objects = &mut recorder.objects;
    if (objects.n_lengths as usize) < MAX_LENGTHS {
        objects.lengths[objects.n_lengths as usize] = Length { pointer, address, count, element, is_stated };
        objects.n_lengths += 1;
    }
}

impl Objects {
    pub(super) fn begin(&mut self) {
        for k in 0..self.n_met {
            self.ranks[self.met[k as usize] as usize] = 0;
        }
        self.n_met = 0;
        self.n_lengths = 0;
        self.misaligned_number = false;
        self.written = [false; 4];
        self.crossed = false;
    }

    fn rank(&self, slot: u32) -> Option<u32> {
        u32::from(self.ranks[slot as usize]).checked_sub(1)
    }

    fn meet(&mut self, slot: u32) {
        if self.ranks[slot as usize] == 0 {
            self.met[self.n_met as usize] = slot as u16;
            self.n_met += 1;
            self.ranks[slot as usize] = self.n_met as u16;
        }
    }
}

impl Recorder {
    /// Concretises an address that depends on inputs where it is used, for example as the target of a call or for
    /// copied memory.
    pub(super) fn use_address(&mut self, site: Site, node: u32, reason: ConcretiseReason) {
        let Some(&used) = self.arena.get(node) else { return };
        self.use_pointer(site, node, 1, Access::Read);
        match reason {
            _ if self.is_fixed(node, 8) => {}
            ConcretiseReason::Target => self.decide_target(site, node),
            _ => self.concretise(node, site, reason),
        }
        if reason == ConcretiseReason::Address {
            self.reject_number(node, used.value[0]);
            self.stay_inside(site, node, used.value[0], Access::Read);
        }
    }

    /// Logs the use of the pointer that an address is computed from. The object it points to is a decision. If the
    /// harness gave a length, its check for an access of `size` bytes is a decision, too.
    pub(super) fn use_pointer(&mut self, site: Site, node: u32, size: u32, access: Access) {
        if let Some(pointer) = self.pointer_in(node, 8) {
            self.place(site, pointer);
            // A copy of zero bytes may begin at the end.
            if size > 0 && (pointer != node || self.objects.n_lengths > 0) {
                self.check_length(site, node, pointer, size, access);
            }
        }
    }

    /// The input pointer that an address was computed from by addition.
    pub(super) fn pointer_in(&self, node: u32, nesting: u32) -> Option<u32> {
        let made = self.arena.get(node)?;
        if made.op == Op::Input as u8 && made.width == 64 {
            return Some(node);
        }
        if nesting == 0 || made.op != Op::Add as u8 && made.op != Op::Sub as u8 {
            return None;
        }
        let is = |what: fn(u64) -> bool| {
            move |pointer: &u32| self.arena.get(*pointer).is_some_and(|node| what(node.value[0]))
        };
        let (a, b) = (self.pointer_in(made.a, nesting - 1), self.pointer_in(made.b, nesting - 1));
        // An added integer may have any value, and the pointer is the first operand. A null pointer counts as a base,
        // and so does a number in a pointer, unless it is an index into another object.
        let is_base = |id: u32| self.arena.get(id).is_some_and(|node| is_memory(node.value[0]));
        a.filter(is(is_input)).or_else(|| b.filter(is(is_input))).or_else(|| {
            let is_index = |other: u32| move |_: &u32| !is_base(other);
            let a = a.filter(is_index(made.b)).filter(|a| is(|value| value == 0)(a) || self.is_number(*a));
            a.or_else(|| b.filter(is_index(made.a)).filter(|b| self.is_number(*b)))
        })
    }

    /// True if an input pointer holds a number that is not an address an input may point to.
    pub(super) fn is_number(&self, pointer: u32) -> bool {
        let is_pointer = |node: &&Node| node.op == Op::Input as u8 && node.width == 64 && node.c & POINTER_WORD != 0;
        self.arena.get(pointer).filter(is_pointer).is_some_and(|node| {
            let value = node.value[0];
            value != 0 && !is_input(value) && !is_function(value)
        })
    }

    /// Ends the run if an address was computed from a number in an input pointer. Such an input is not valid.
    pub(super) fn reject_number(&self, node: u32, address: u64) {
        if !is_input(address) && self.depends_on_number(node, 8) {
            failure::reject();
        }
    }

    /// Notes that a failed check was of the alignment of a number in an input pointer. The access that follows rejects
    /// the input.
    #[cold]
    pub(super) fn note_alignment(&mut self, condition: u32, nesting: u32) {
        let Some(&node) = self.arena.get(condition) else { return };
        if node.op == Op::And as u8 && node.width == 1 && nesting > 0 {
            self.note_alignment(node.a, nesting - 1);
            return self.note_alignment(node.b, nesting - 1);
        }
        self.objects.misaligned_number |= self.is_alignment(&node) && self.depends_on_number(node.a, 8);
    }

    /// True if a failed alignment check was of a number.
    pub(super) fn is_misaligned_number(&mut self) -> bool {
        core::mem::take(&mut self.objects.misaligned_number)
    }

    /// True for `(a & constant) == 0`, or the same test of the low bits.
    fn is_alignment(&self, node: &Node) -> bool {
        let is_zero = self.arena.get(node.b).is_some_and(|node| node.op == Op::Const as u8 && node.value[0] == 0);
        let of = self.arena.get(node.a).map_or(0, |node| node.op);
        node.op == Op::Eq as u8 && is_zero && (of == Op::And as u8 || of == Op::Extract as u8)
    }

    /// True if an expression was computed from a number in an input pointer.
    pub(super) fn depends_on_number(&self, id: u32, nesting: u32) -> bool {
        let Some(node) = self.arena.get(id) else { return false };
        if node.op == Op::Input as u8 {
            return self.is_number(id);
        }
        let is_apart = node.array_op().is_some();
        nesting > 0 && !is_apart && node.operands().any(|operand| self.depends_on_number(operand, nesting - 1))
    }

    /// Logs the aliasing choice of an input pointer that is used for the first time.
    fn place(&mut self, site: Site, pointer: u32) {
        let Some(&node) = self.arena.get(pointer) else { return };
        let is_number = self.is_number(pointer);
        if node.flags & CONCRETISED != 0 {
            if is_number {
                failure::reject();
            }
            return;
        }
        let plan = Plan::get();
        let shift = plan.map_or(12, |plan| plan.header().slot_shift);
        let at = slot_of(node.value[0], shift);
        let inside = plan.and_then(|plan| object_at(plan, node.value[0])).map(|(_, offset)| offset);
        let side_index = match at {
            Some((slot, offset)) => placed(self.objects.rank(slot), inside.unwrap_or(offset)),
            None if is_number => placed(Some(0), NUMBER),
            // A function, or no object: the engine knows.
            None => placed(Some(0), node.value[0]),
        };
        if self.decide(EventKind::Aliasing, site, pointer, side_index, 0) {
            self.know_value(pointer);
        }
        if let Some((slot, _)) = at {
            self.objects.meet(slot);
        }
        if is_number {
            // Inputs with pointers to no object are not wanted. The engine tries the existing objects instead.
            failure::reject();
        }
    }

    /// Checks a length given by the harness, like the compiler's own checks of arrays. An object that several pointers
    /// point to is long enough for all of them.
    fn check_length(&mut self, site: Site, node: u32, pointer: u32, accessed: u32, access: Access) {
        let Some(plan) = Plan::get().filter(|_| self.objects.n_lengths > 0) else { return };
        let shift = plan.header().slot_shift;
        let Some(base) = self.arena.get(pointer).map(|node| node.value[0]) else { return };
        let Some((slot, _)) = slot_of(base, shift) else { return };
        // An implied length says nothing about the targets of other pointers, which may have more elements.
        let lengths = &self.objects.lengths[..self.objects.n_lengths as usize];
        let has_own = lengths.iter().any(|length| length.pointer == pointer);
        let is_here = |length: &Length| {
            (has_own || length.is_stated) && slot_of(length.address, shift).is_some_and(|(other, _)| other == slot)
        };
        // Pointers that the path has not used yet may point to other objects.
        let Some(mut inside) = self.is_long_enough(node, accessed, &is_here) else { return };
        let n = self.objects.n_lengths as usize;
        let mut next = 0;
        loop {
            if inside.id != 0 {
                self.check(site, inside.id, inside.value != 0);
            }
            if inside.value != 0 {
                return;
            }
            // Decide now whether another open pointer points to this object, too.
            let is_open =
                |length: &Length| self.arena.get(length.pointer).is_some_and(|node| node.flags & CONCRETISED == 0);
            let Some(open) = (next..n).find(|k| is_open(&self.objects.lengths[*k])) else { break };
            self.place(site, self.objects.lengths[open].pointer);
            next = open + 1;
            if is_here(&self.objects.lengths[open]) {
                let Some(longer) = self.is_long_enough(node, accessed, &is_here) else { return };
                inside = longer;
            }
        }
        let fault = self.beyond_length(node, accessed, access, &is_here);
        failure::found(site, ErrorKind::ArrayBounds, fault);
    }

    /// The access that leaves the longest array at its object.
    fn beyond_length(&self, node: u32, size: u32, access: Access, is_here: &dyn Fn(&Length) -> bool) -> Fault {
        let address = self.arena.get(node).map_or(0, |node| node.value[0]);
        let lengths = &self.objects.lengths[..self.objects.n_lengths as usize];
        let bytes = |length: &Length| (length.count.value as u64).saturating_mul(length.element);
        let longest = lengths.iter().filter(|length| is_here(length)).max_by_key(|length| bytes(length));
        longest.map_or_else(Fault::default, |length| Fault {
            size: u64::from(size),
            offset: address.wrapping_sub(length.address) as i64,
            len: bytes(length),
            storage: Storage::Input as u32,
            writes: u32::from(access == Access::Write),
            ..Fault::default()
        })
    }

    /// True if an address lies in the array of a pointer that the path has used and that `is_here` selects. `None` if
    /// none of them has a length.
    fn is_long_enough(&mut self, node: u32, accessed: u32, is_here: &dyn Fn(&Length) -> bool) -> Option<Term> {
        let used = self.term(node)?;
        let mut inside: Option<Term> = None;
        for k in 0..self.objects.n_lengths as usize {
            let length = self.objects.lengths[k];
            let is_used = self.arena.get(length.pointer).is_some_and(|node| node.flags & CONCRETISED != 0);
            if !is_used || !is_here(&length) {
                continue;
            }
            let base = self.term(length.pointer)?;
            let offset = self.binary(Op::Sub, used, base);
            let offset = if self.is_fixed(node, 8) { Term::concrete(64, offset.value) } else { offset };
            let mut here = self.is_below(offset, length);
            // For a longer access, the last byte is checked, too.
            if u64::from(accessed) > length.element {
                let last = self.binary(Op::Add, offset, Term::concrete(64, u128::from(accessed - 1)));
                let ends_inside = self.is_below(last, length);
                here = self.binary(Op::And, here, ends_inside);
            }
            inside = Some(match inside {
                Some(before) => self.binary(Op::Or, before, here),
                None => here,
            });
        }
        inside
    }

    /// True if an offset in bytes lies in an array.
    fn is_below(&mut self, offset: Term, length: Length) -> Term {
        let Length { count, element, .. } = length;
        if offset.id == 0 {
            // The same comparison as in most loops.
            let index = (offset.value as u64).checked_div(element).unwrap_or(u64::MAX);
            return self.binary(Op::Ult, Term::concrete(64, u128::from(index)), count);
        }
        // A number of bytes must not wrap around.
        let is_wide = self.arena.get(count.id).is_some_and(|node| node.op != Op::ZExt as u8);
        let count = if is_wide {
            let most = Term::concrete(64, MAX_COUNT);
            let is_possible = self.binary(Op::Ule, count, most);
            self.ite(is_possible, count, most)
        } else {
            count
        };
        let size = self.binary(Op::Mul, count, Term::concrete(64, u128::from(element)));
        self.binary(Op::Ult, offset, size)
    }

    /// Notes an access through a pointer to an object made for inputs. Records when a string was written before another
    /// object is read, or the reverse, because pointers to characters are not tried inside other objects.
    pub(super) fn note_access(&mut self, site: Site, address: u64, writes: bool) {
        if !is_input(address) || !writes && self.objects.n_met < 2 {
            return;
        }
        let Some((object, _)) = Plan::get().and_then(|plan| object_at(plan, address)) else { return };
        let class = object.flags & (TEXT | CHARACTERS);
        let written = &mut self.objects.written;
        if writes {
            written[class as usize] = true;
        } else if !self.objects.crossed && (0..).zip(*written).any(|(other, is_written)| is_written && other != class) {
            self.objects.crossed = true;
            note(NoteKind::Characters, site, 0);
        }
    }

    /// Ends the run if an access leaves the object.
    pub(super) fn stay_inside(&mut self, site: Site, node: u32, address: u64, access: Access) {
        let Some(plan) = Plan::get().filter(|_| is_input(address)) else { return };
        let inside = object_at(plan, address).is_some_and(|(object, offset)| offset < u64::from(object.extent));
        if !inside {
            self.leave(site, node, address, access);
        }
    }

    /// Reports the met objects that were written, if there are several.
    pub(super) fn note_written(&self) {
        let Some(plan) = Plan::get().filter(|_| self.objects.n_met > 1) else { return };
        let shift = plan.header().slot_shift;
        for slot in self.objects.met[..self.objects.n_met as usize].iter().map(|slot| u32::from(*slot)) {
            let Some(object) = plan.object_in(slot) else { continue };
            let end = self.inputs.written_end(object_address(slot, object.start, shift), object_id(slot));
            if end > 0 {
                note(NoteKind::Overlap, Site(slot), end);
            }
        }
    }

    /// Ends the run: an object made for inputs has no more room, or the access lies before its start, which is an
    /// error.
    pub(super) fn leave(&mut self, site: Site, node: u32, address: u64, access: Access) {
        let Some(plan) = Plan::get() else { return };
        let shift = plan.header().slot_shift;
        let base = self.pointer_in(node, 8).and_then(|pointer| self.term(pointer));
        let first =
            base.map(|base| base.value as u64).filter(|base| address < *base && slot_of(*base, shift).is_some());
        if let Some(first) = first {
            let kind = if access == Access::Write { ErrorKind::OutOfBoundsWrite } else { ErrorKind::OutOfBoundsRead };
            failure::found(site, kind, forbidden::fault(address, 1, places::inside(first), access));
            note(NoteKind::BeforeObject, site, 0);
        } else {
            note(NoteKind::MaxElements, site, 0);
        }
        failure::reject();
    }
}

/// Checks a call that frees memory of an input.
pub(crate) fn freed(address: u64) -> Result<(), BadFree> {
    let Some(plan) = Plan::get() else { return Ok(()) };
    let Some((object, 0)) = object_at(plan, address) else { return Err(BadFree::NotAnObject) };
    // A native program has no cells.
    if !process::exploring() {
        return Ok(());
    }
    if forbidden::is_freed(address) {
        return Err(BadFree::AlreadyFreed);
    }
    forbidden::forbid(address, u64::from(object.extent.max(1)), CELL_FREED);
    Ok(())
}
