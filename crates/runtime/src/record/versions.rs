//! Two versions of a function, one after the other on the same input (`tine compare`).
//!
//! The harness copies the objects of the input, calls the first version, restores the objects, calls the second, and
//! compares. This module has the operations that C cannot express: an attempt that ends early, copies with their cells,
//! and the bytes that can differ at all.
//!
//! ```text
//!   attempt(0) ─▶ old version ─▶ attempt(2)      transfer      attempt(1) ─▶ new version ─▶ attempt(2)      ends, unlike …
//!                      └── error, exit ──▶ harness                                └── error, exit ──▶ harness
//! ```

use core::ffi::{CStr, c_char};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use tine_trace::layout::{CELL_UNREAD, CELL_UNSET, is_forbidden};
use tine_trace::outcome::{ErrorKind, Fault, Outcome, OutcomeKind};

use super::failure;
use super::objects;
use super::plan::Plan;
use super::shadow::cell;
use super::state;
use crate::process;
use crate::process::heap::{HEAP, Life};

/// Number that means no version.
const NONE: u32 = 2;

/// The version that is called now.
static VERSION: AtomicU32 = AtomicU32::new(NONE);
/// The function of the harness that leaves an attempt.
static LEAVE: AtomicU64 = AtomicU64::new(0);

/// End of one version.
struct End {
    /// 0: it returned; otherwise the number of an error kind, or one of the flags below and a number.
    code: AtomicU32,
    /// Errors after which the run continued: a bit for each kind.
    kinds: AtomicU64,
}

static ENDS: [End; 2] = [const { End { code: AtomicU32::new(0), kinds: AtomicU64::new(0) } }; 2];

/// Value in place of a number of bytes: one of the objects must not be accessed.
const FREED: u32 = 255;

/// Flags of [`End::code`].
const EXIT: u32 = 1 << 16;
const SIGNAL: u32 = 1 << 17;

/// Resets the state at the start of a run.
pub(super) fn begin() {
    VERSION.store(NONE, Ordering::Relaxed);
    for end in &ENDS {
        end.code.store(0, Ordering::Relaxed);
        end.kinds.store(0, Ordering::Relaxed);
    }
}

/// `__tine_attempt`.
pub(super) fn attempt(version: u32, leave: u64) {
    LEAVE.store(leave, Ordering::Relaxed);
    VERSION.store(version.min(NONE), Ordering::Relaxed);
}

/// True while a version is called. An error after which the run continues then belongs to the version.
pub(super) fn notes(kind: ErrorKind) -> bool {
    let version = VERSION.load(Ordering::Relaxed);
    if let Some(end) = ENDS.get(version as usize) {
        end.kinds.fetch_or(1 << (kind as u32 & 63), Ordering::Relaxed);
    }
    version != NONE
}

/// Called before the run ends. If a version is being called, only that version ends, and the harness continues.
pub(crate) fn leave(outcome: &Outcome) {
    let code = match OutcomeKind::from_number(outcome.kind) {
        Some(OutcomeKind::Exited) => EXIT | outcome.code,
        Some(OutcomeKind::Failed) => outcome.code,
        Some(OutcomeKind::Signal) => SIGNAL | outcome.code,
        Some(OutcomeKind::StackOverflow) => ErrorKind::StackOverflow as u32,
        _ => return,
    };
    leave_with(code);
}

/// As [`leave`], with the number of an error kind.
pub(super) fn leave_with(code: u32) {
    let version = VERSION.swap(NONE, Ordering::Relaxed);
    let Some(end) = ENDS.get(version as usize) else { return };
    end.code.store(code, Ordering::Relaxed);
    process::allow_signals();
    // SAFETY: the harness passed the address of a function without parameters. The frame that it jumps to still exists.
    let leave = unsafe { core::mem::transmute::<usize, extern "C" fn()>(LEAVE.load(Ordering::Relaxed) as usize) };
    leave();
}

/// `__tine_object`: the address of the input's object number `index`, and its size; 0 if there are fewer.
pub(super) fn object(index: u32, size: &mut u64) -> u64 {
    let Some(plan) = Plan::get().filter(|plan| index < plan.header().n_objects) else { return 0 };
    let object = plan.object(index);
    *size = u64::from(object.extent);
    tine_trace::plan::object_address(object.slot, object.start, plan.header().slot_shift)
}

/// `__tine_transfer`: copies memory with its cells, also where the program must not access it.
pub(super) fn transfer(to: u64, from: u64, len: u64) {
    // SAFETY: objects of the harness and of the input, which do not overlap.
    unsafe { process::memory::copy(to, from, len) };
    if state::gate().is_some_and(|gate| gate.records_here()) {
        state::owned().dirty.copy(to, from, len);
    }
}

/// A byte of memory and its cell.
fn byte(address: u64) -> (u8, u32) {
    // SAFETY: memory of the program, as the harness guarantees.
    let byte = unsafe { *(address as *const u8) };
    if !state::gate().is_some_and(|gate| gate.records_here()) {
        return (byte, 0);
    }
    // SAFETY: the shadow covers every address.
    let found = unsafe { *cell(address) };
    if found == CELL_UNSET || is_forbidden(found) {
        return (byte, found);
    }
    (byte, state::owned().current(address, byte))
}

/// `__tine_unlike`: the first bytes from `from` on in which two objects may differ; `len` if there are none. `width` is
/// the number of bytes to compare at once, 0 if only one of the objects was written there, and [`FREED`] if only one
/// was freed.
pub(super) fn unlike(old: u64, new: u64, from: u64, len: u64, width: &mut u32) -> u64 {
    let is_other = |offset: &u64| {
        let (old, new) = (byte(old + offset), byte(new + offset));
        let is_beyond = |cell| cell == CELL_UNSET || is_forbidden(cell);
        old != new && !(is_beyond(old.1) && is_beyond(new.1))
    };
    let Some(at) = (from..len).find(is_other) else { return len };
    let known = [byte(old + at).1, byte(new + at).1];
    if known.iter().any(|cell| is_forbidden(*cell)) {
        *width = FREED;
        return at;
    }
    if known.contains(&CELL_UNSET) {
        *width = 0;
        return at;
    }
    let word = at & !7;
    let fits = |start: u64, size: u64| start >= from && start + size <= len && start <= at && at < start + size;
    // Words may be pointers.
    let is_plain = |offset: u64| byte(old + offset).1 == 0 && byte(new + offset).1 == 0;
    if fits(word, 8) && (old | new) & 7 == 0 && (word..word + 8).all(is_plain) {
        *width = 8;
        return word;
    }
    let mut best = (at, 1);
    for found in known.into_iter().filter(|found| *found != 0 && found & CELL_UNREAD == 0) {
        let Some(node) = state::recorder().and_then(|recorder| recorder.arena.get(found >> 4).copied()) else {
            continue;
        };
        let (start, size) = (at.wrapping_sub(u64::from(found & 15)), u64::from(node.width).div_ceil(8));
        if [1, 2, 4, 8].contains(&size) && fits(start, size) && size > best.1 {
            best = (start, size);
        }
    }
    *width = best.1 as u32;
    best.0
}

/// `__tine_extent`: the start and the size of the object that contains an address. Returns 1 for an object of the heap,
/// 2 for a freed one, and 0 otherwise.
pub(super) fn extent(address: u64, start: &mut u64, size: &mut u64) -> u32 {
    if objects::is_input(address) {
        return 0;
    }
    if !process::exploring() {
        // The C library's heap cannot be queried. So in a replay, every address in its usual range counts as an object
        // without contents.
        const LIKELY: core::ops::Range<u64> = 0x5500_0000_0000..0x7fff_ffff_f000;
        *start = address;
        return u32::from(LIKELY.contains(&address) && address.is_multiple_of(8));
    }
    match HEAP.object_of(address).filter(|object| address <= object.address + object.size) {
        Some(object) => {
            (*start, *size) = (object.address, object.size);
            if object.life == Life::Live { 1 } else { 2 }
        }
        None => 0,
    }
}

/// `__tine_ends`: reports that only one version has an error, or that they end differently. Returns 1 if both ended
/// early in the same way.
pub(super) fn ends(file: *const c_char, line: u32, function: *const c_char) -> u32 {
    let [old, new] = &ENDS;
    let codes = [old, new].map(|end| end.code.load(Ordering::Relaxed));
    let kinds = [old, new].map(|end| end.kinds.load(Ordering::Relaxed));
    if codes[0] != codes[1] {
        let mut numbers = [[0; 10]; 2];
        let [of_old, of_new] = &mut numbers;
        let (old, new) = (in_words(codes[0], of_old), in_words(codes[1], of_new));
        report(&["end: the old version ", old[0], old[1], ", the new one ", new[0], new[1]], file, line, function);
    }
    let only = [kinds[0] & !kinds[1], kinds[1] & !kinds[0]];
    for (kinds, version) in only.into_iter().zip(["old", "new"]) {
        if kinds != 0 {
            let kind = ErrorKind::from_number(kinds.trailing_zeros()).map_or("error", ErrorKind::text);
            report(&["end: only the ", version, " version has the error: ", kind], file, line, function);
        }
    }
    u32::from(codes[0] != 0)
}

/// The end of a version, as a predicate.
fn in_words(code: u32, digits: &mut [u8; 10]) -> [&str; 2] {
    if code == 0 {
        return ["returns", ""];
    }
    if code & EXIT != 0 {
        return ["exits with status ", decimal(code & 0xff, digits)];
    }
    if code & SIGNAL != 0 {
        return ["is ended by signal ", decimal(code & 0xff, digits)];
    }
    ["has the error: ", ErrorKind::from_number(code).map_or("?", ErrorKind::text)]
}

fn decimal(mut number: u32, digits: &mut [u8; 10]) -> &str {
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return core::str::from_utf8(&digits[at..]).unwrap_or("?");
        }
    }
}

/// `__tine_difference`: the versions differ. The strings are the message, the file and the function.
///
/// # Safety
/// The strings must be C strings.
pub(super) unsafe fn difference(message: *const c_char, file: *const c_char, line: u32, function: *const c_char) -> ! {
    // SAFETY: the caller guarantees it.
    let message = unsafe { CStr::from_ptr(message) }.to_str().unwrap_or("?");
    report(&[message], file, line, function)
}

fn report(message: &[&str], file: *const c_char, line: u32, function: *const c_char) -> ! {
    // SAFETY: the harness gives C strings.
    let [file, function] = [file, function].map(|text| unsafe { CStr::from_ptr(text) }.to_str().unwrap_or("?"));
    failure::differs(message, file, line, function)
}

/// A fault that refers to a message: see [`Fault`].
pub(super) fn fault(text: (u32, u32), line: u32) -> Fault {
    Fault { size: u64::from(line), offset: i64::from(text.0), len: u64::from(text.1), ..Fault::default() }
}
