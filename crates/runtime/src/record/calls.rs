//! One function for each entry point, in the order of the list: gets the recorder, unpacks, delegates.
//!
//! Only one thread records. Values computed by other threads are concrete, but their writes are followed: they clear
//! shadows.

use core::ffi::c_char;

use tine_trace::entry::{CALLEE_FOLLOWED, CALLEE_OTHER, Comparison, LOOP_STATE, Module, SITE_GOES_ON, SITE_IN_MODEL};
use tine_trace::event::{self, ConcretiseReason, NoteKind, Site};
use tine_trace::hash;
use tine_trace::outcome::Refused;

use super::contracts::Call;
use super::forbidden::{self, Access};
use super::state::{self, recorder, recorder_here};
use super::{comparison, failure, foreign, input as inputs, modules, notes, objects, passing, places, shadow, turns};
use crate::process;
use crate::process::heap::{Life, object_of};

/// Bit of `site` in `branch`: the site is a check; true means no error.
pub const SITE_IS_CHECK: u32 = 1 << 31;

/// `N` 128-bit values.
///
/// # Safety
/// They must be readable.
#[inline]
unsafe fn wide<const N: usize>(at: *const u8) -> [u128; N] {
    // SAFETY: the caller guarantees it.
    unsafe { at.cast::<[u128; N]>().read_unaligned() }
}

/// The program-wide number of a site.
///
/// # Safety
/// `module` must be a registered module.
#[inline]
unsafe fn site_of(module: *mut u8, site: u32) -> Site {
    // SAFETY: the caller guarantees it.
    Site(unsafe { (*module.cast::<Module>()).site_base }.wrapping_add(site))
}

/// # Safety
/// No requirements: unsafe like every entry point. The same holds for those below without another statement.
#[inline]
pub unsafe fn binary(op: u32, sa: u32, sb: u32, a: u64, b: u64, r: u64) -> u32 {
    let Some(recorder) = recorder() else { return 0 };
    recorder.reported_binary(op, [sa, sb], [a as u128, b as u128, r as u128])
}

/// # Safety
/// `abr` must point at three 128-bit values.
pub unsafe fn binary_wide(op: u32, sa: u32, sb: u32, abr: *mut u8) -> u32 {
    let Some(recorder) = recorder() else { return 0 };
    // SAFETY: the caller guarantees the values.
    recorder.reported_binary(op, [sa, sb], unsafe { wide(abr) })
}

/// # Safety
/// None.
#[inline]
pub unsafe fn unary(op: u32, immediate: u32, sa: u32, r: u64) -> u32 {
    let Some(recorder) = recorder() else { return 0 };
    recorder.reported_unary(op, immediate, sa, r as u128)
}

/// # Safety
/// `r` must point at a 128-bit value.
pub unsafe fn unary_wide(op: u32, immediate: u32, sa: u32, r: *mut u8) -> u32 {
    let Some(recorder) = recorder() else { return 0 };
    // SAFETY: the caller guarantees the value.
    let [r] = unsafe { wide(r) };
    recorder.reported_unary(op, immediate, sa, r)
}

/// # Safety
/// None.
#[inline]
pub unsafe fn select(width: u32, sc: u32, st: u32, sf: u32, t: u64, f: u64, r: u64) -> u32 {
    let Some(recorder) = recorder() else { return 0 };
    recorder.reported_select(width, [sc, st, sf], [t as u128, f as u128, r as u128])
}

/// # Safety
/// `tfr` must point at three 128-bit values.
pub unsafe fn select_wide(width: u32, sc: u32, st: u32, sf: u32, tfr: *mut u8) -> u32 {
    let Some(recorder) = recorder() else { return 0 };
    // SAFETY: the caller guarantees the values.
    recorder.reported_select(width, [sc, st, sf], unsafe { wide(tfr) })
}

/// # Safety
/// `abcr` must point at four 128-bit values.
pub unsafe fn compose(what: u32, sa: u32, sb: u32, sc: u32, abcr: *mut u8) -> u32 {
    let Some(recorder) = recorder() else { return 0 };
    // SAFETY: the caller guarantees the values.
    recorder.reported_composite(what, [sa, sb, sc], unsafe { wide(abcr) })
}

/// # Safety
/// None.
#[inline]
pub unsafe fn load(address: u64, size: u32, lo: u64, hi: u64) -> u32 {
    let Some(recorder) = recorder() else { return 0 };
    recorder.touch(address, u64::from(size), Access::Read);
    if recorder.is_reading() {
        return 0;
    }
    recorder.load(address, size, lo as u128 | (hi as u128) << 64)
}

/// # Safety
/// None.
#[inline]
pub unsafe fn store(address: u64, size: u32, node: u32) {
    match recorder_here() {
        Some(recorder) => {
            recorder.touch(address, u64::from(size), Access::Write);
            recorder.store(address, size, node);
        }
        None => written_elsewhere(address, size as u64, node != 0),
    }
}

/// # Safety
/// None.
#[inline]
pub unsafe fn clear(address: u64, len: u64) {
    match recorder_here() {
        Some(recorder) => {
            recorder.touch(address, len, Access::Write);
            shadow::clear(address, len);
        }
        None => written_elsewhere(address, len, false),
    }
}

/// # Safety
/// None.
pub unsafe fn stack_object(address: u64, len: u64) {
    // SAFETY: the same contract.
    unsafe { stack_clear(address, len) };
    if recorder_here().is_some() {
        places::came_to_life(address, len);
    }
}

/// # Safety
/// There must be [`tine_trace::layout::GAP`] bytes around the object.
pub unsafe fn stack_padded(address: u64, len: u64) {
    // SAFETY: the same contract.
    unsafe { stack_object(address, len) };
    forbidden::padded(address, len);
}

/// # Safety
/// None.
#[inline]
pub unsafe fn stack_clear(address: u64, len: u64) {
    match recorder_here() {
        Some(_) => _ = shadow::clear(address, len),
        None => written_elsewhere(address, len, false),
    }
}

/// # Safety
/// As of [`stack_padded`].
pub unsafe fn scope_end(address: u64, len: u64) {
    forbidden::left(address, len);
}

/// # Safety
/// As of [`stack_padded`].
pub unsafe fn stack_end(address: u64, len: u64) {
    if recorder_here().is_some() {
        forbidden::returned(address, len);
    }
}

/// # Safety
/// None.
pub unsafe fn stack_jumped(frame: u64) {
    if recorder_here().is_some() {
        forbidden::jumped(frame);
    }
}

/// # Safety
/// `module` must be a registered module.
pub unsafe fn access(module: *mut u8, site: u32, pointer: u32, address: u64, size: u32) {
    if let Some(recorder) = recorder() {
        // SAFETY: the caller guarantees the module.
        let site = unsafe { site_of(module, site) };
        recorder.decide_by(pointer);
        recorder.access(site, pointer, address, size);
    }
}

/// # Safety
/// None.
pub unsafe fn read(_pointer: u32, loaded: u32, lo: u64, hi: u64) -> u32 {
    let Some(recorder) = recorder() else { return 0 };
    recorder.read(loaded, lo as u128 | (hi as u128) << 64)
}

/// # Safety
/// None.
pub unsafe fn wrote(_pointer: u32, value: u32, lo: u64, hi: u64) {
    if let Some(recorder) = recorder() {
        recorder.wrote(value, lo as u128 | (hi as u128) << 64);
    }
}

/// # Safety
/// Both ranges must be mapped.
pub unsafe fn copied(to_node: u32, from_node: u32, to: u64, from: u64, len: u64) {
    match recorder_here() {
        Some(recorder) => {
            recorder.touch(from, len, Access::Read);
            recorder.touch(to, len, Access::Write);
            recorder.copied([to_node, from_node], to, from, len);
        }
        // SAFETY: the same contract.
        None => unsafe { copy(to, from, len) },
    }
}

/// # Safety
/// The range must be mapped.
pub unsafe fn filled(_to_node: u32, node: u32, to: u64, len: u64) {
    match recorder_here() {
        Some(recorder) => {
            recorder.touch(to, len, Access::Write);
            recorder.filled(node, to, len);
        }
        // SAFETY: the same contract.
        None => unsafe { fill(to, node, len) },
    }
}

/// # Safety
/// None.
pub unsafe fn copy(to: u64, from: u64, len: u64) {
    match recorder_here() {
        Some(recorder) => {
            recorder.touch(from, len, Access::Read);
            recorder.touch(to, len, Access::Write);
            recorder.dirty.copy(to, from, len);
        }
        None => written_elsewhere(to, len, shadow::may_be_symbolic(from, len)),
    }
}

/// # Safety
/// None.
pub unsafe fn fill(to: u64, node: u32, len: u64) {
    match recorder_here() {
        Some(recorder) => {
            recorder.touch(to, len, Access::Write);
            recorder.fill(to, node, len);
        }
        None => written_elsewhere(to, len, node != 0),
    }
}

/// # Safety
/// None.
pub unsafe fn written(address: u64) {
    if recorder_here().is_some() {
        forbidden::written(address);
    }
}

/// # Safety
/// None.
pub unsafe fn undefined(width: u32, place: u32) -> u32 {
    recorder().map_or(0, |recorder| recorder.undefined(width, place, 0))
}

/// # Safety
/// None.
pub unsafe fn printed(value: u32) {
    if let Some(recorder) = recorder() {
        recorder.decide_by(value);
    }
}

/// Records that memory written by another thread is concrete. Without a recording, all memory is.
#[cold]
fn written_elsewhere(address: u64, len: u64, symbolic: bool) {
    let Some(gate) = state::gate().filter(|gate| gate.records()) else { return };
    if shadow::clear(address, len) || symbolic {
        gate.note_thread();
    }
}

/// # Safety
/// `list` must be the address of a started `va_list`, `saved` that of the shadows passed.
pub unsafe fn va_start(list: u64, saved: *mut u8) {
    if let Some(recorder) = recorder() {
        // SAFETY: the caller guarantees both.
        unsafe { recorder.va_start(list, saved.cast_const().cast()) };
    }
}

/// # Safety
/// `module` must be a registered module.
#[inline]
pub unsafe fn branch(module: *mut u8, site: u32, condition: u32, taken: u32) {
    let Some(recorder) = recorder() else { return };
    // SAFETY: the caller guarantees the module.
    let global = unsafe { site_of(module, site & !(SITE_IS_CHECK | SITE_GOES_ON)) };
    if site & SITE_IS_CHECK != 0 {
        recorder.check(global, condition, taken != 0);
    } else {
        recorder.branch(global, condition, taken != 0);
    }
    if site & SITE_GOES_ON == 0 {
        recorder.decide_by(condition);
    }
}

/// # Safety
/// `module` must be a registered module.
pub unsafe fn switch(module: *mut u8, site: u32, value: u32, side_index: u32) {
    let Some(recorder) = recorder() else { return };
    // SAFETY: the caller guarantees the module.
    let site = unsafe { site_of(module, site) };
    recorder.switch(site, value, side_index);
    recorder.decide_by(value);
}

/// # Safety
/// `module` must be a registered module.
pub unsafe fn concretise(module: *mut u8, site: u32, value: u32, reason: u32) {
    let Some(recorder) = recorder() else { return };
    let reason = ConcretiseReason::from_number(reason).unwrap_or(ConcretiseReason::Address);
    // SAFETY: the caller guarantees the module.
    let site = unsafe { site_of(module, site) };
    recorder.decide_by(value);
    match reason {
        ConcretiseReason::Address | ConcretiseReason::Target => recorder.use_address(site, value, reason),
        ConcretiseReason::Length => recorder.decide_length(site, value),
        _ => recorder.concretise(value, site, reason),
    }
}

/// As [`site_of`]. For calls inside a model, returns the site in the user's code that called the model.
///
/// # Safety
/// `module` must be a registered module.
unsafe fn user_site_of(module: *mut u8, site: u32) -> Site {
    // SAFETY: this thread's own.
    let user = unsafe { (*passing::passing()).user_site };
    if site & SITE_IN_MODEL != 0 && user != 0 {
        return Site(user - 1);
    }
    // SAFETY: the caller guarantees the module.
    unsafe { site_of(module, site & !SITE_IN_MODEL) }
}

/// # Safety
/// `module` must be a registered module.
pub unsafe fn note(module: *mut u8, site: u32, _value: u32, kind: u32) {
    if recorder().is_some()
        && let Some(kind) = NoteKind::from_number(kind as u8)
    {
        // SAFETY: the caller guarantees the module.
        notes::note(kind, unsafe { user_site_of(module, site) }, 0);
    }
}

/// # Safety
/// `module` must be a registered module.
pub unsafe fn calling(module: *mut u8, site: u32, callee: u64) -> u32 {
    let how = foreign::callee(callee);
    if how != CALLEE_FOLLOWED
        && let Some(recorder) = recorder_here()
    {
        recorder.kernel.left |= !process::heap::exports::is_one(callee);
        if how == CALLEE_OTHER {
            // It may write memory that it received before.
            recorder.follows_unset = false;
            // SAFETY: the caller guarantees the module.
            recorder.calling(unsafe { user_site_of(module, site) });
        }
    }
    how
}

/// # Safety
/// `module` must be a registered module; memory at `address` must be readable as far as it is symbolic.
pub unsafe fn escape(module: *mut u8, site: u32, how: u32, address: u64, len: u64) {
    if let Some(recorder) = recorder_here() {
        // SAFETY: the caller guarantees the module.
        recorder.escape(unsafe { user_site_of(module, site) }, how, address, len);
        forbidden::written(address);
    }
}

/// # Safety
/// `module` must be a registered module.
#[expect(clippy::too_many_arguments, reason = "as the list has it")]
pub unsafe fn contract(
    module: *mut u8,
    site: u32,
    rule: u32,
    sa: u32,
    sb: u32,
    sc: u32,
    a: u64,
    b: u64,
    c: u64,
    d: u64,
) {
    if let Some(recorder) = recorder_here() {
        // SAFETY: the caller guarantees the module.
        let site = unsafe { site_of(module, site) };
        recorder.contract(&Call { site, rule, shadows: [sa, sb, sc], operands: [a, b, c, d] });
    }
}

/// # Safety
/// `module` must be a registered module, `site` one of its sites.
pub unsafe fn failed(module: *mut u8, site: u32, kind: u32, how: u32, a: u64, b: u64) {
    let refused = Refused { how, _pad: 0, a, b };
    // SAFETY: the caller guarantees the module.
    unsafe { failure::failed(module.cast_const().cast(), site & !SITE_IS_CHECK, kind, refused) };
}

/// # Safety
/// None.
pub unsafe fn exiting(code: u32) {
    failure::exiting(code);
}

/// # Safety
/// `module` must be a module as the instrumenter makes it.
pub unsafe fn register(module: *mut u8) {
    // SAFETY: the caller guarantees the module.
    unsafe { modules::register(module.cast()) };
}

/// # Safety
/// `to` must be writable for `size` bytes, `name` null or a C string.
pub unsafe fn input(to: *mut u8, size: u64, name: *const c_char, kind: u32, ty: u32) {
    // SAFETY: the caller guarantees both.
    unsafe { inputs::input(to, size, name, kind, ty) };
}

/// # Safety
/// `table` must hold `n` addresses.
pub unsafe fn functions(table: *const u64, n: u32) {
    // SAFETY: the caller guarantees it.
    unsafe { inputs::functions(table, n) };
}

/// # Safety
/// `pointer` must be readable, `count` for `count_size` bytes, 1 to 8.
pub unsafe fn length(pointer: *const u64, count: *const u8, count_size: u64, element: u64, is_stated: bool) {
    // SAFETY: the caller guarantees both.
    unsafe { objects::length(pointer, count, count_size, element, is_stated) };
}

/// # Safety
/// `name` must be null or a C string.
pub unsafe fn choice(n: u32, name: *const c_char) -> u32 {
    // SAFETY: the caller guarantees it.
    unsafe { inputs::choice(n, name) }
}

/// `__tine_missing`.
///
/// # Safety
/// `name` must be a C string.
pub unsafe fn missing(name: *const c_char) -> ! {
    // SAFETY: the caller guarantees it.
    unsafe { failure::missing(name) }
}

/// Notes that a monitor reached a state.
pub(super) fn monitored(property: u32, state: u8) {
    notes::note(NoteKind::Monitored, Site::NONE, event::monitored(property, state));
}

/// Sets the distance of the next decisions to a violation.
pub(super) fn come_near(distance: u32) {
    if let Some(recorder) = recorder_here() {
        recorder.come_near(distance);
    }
}

/// `__tine_endless`.
pub fn endless() {
    failure::endless();
}

/// `__tine_loop`.
pub fn turn(number: u64, turn: u64, state: [u64; LOOP_STATE]) {
    if turns::returns(number, turn, state) {
        failure::endless();
    }
}

/// `__tine_beyond`.
pub fn beyond() -> ! {
    notes::note(NoteKind::MaxElements, Site::NONE, 0);
    failure::reject()
}

/// `__tine_state`.
pub fn state(calls_left: u32) {
    // A native program has no gate, because it is not instrumented.
    if state::gate().is_some_and(|gate| gate.records_here()) {
        state::owned().state(calls_left);
    }
}

/// `__tine_alive`.
pub fn alive(address: u64) -> u32 {
    inputs::alive(address)
}

/// `__tine_room`. Without an engine the C library's heap cannot be queried. Then the answer is that there is room.
pub fn room(array: u64, n: u64, size: u64) -> u64 {
    if !state::gate().is_some_and(|gate| gate.records_here()) {
        return u64::MAX;
    }
    let object = object_of(array).filter(|object| object.life == Life::Live && size > 0);
    object.map_or(n, |object| n.max((object.address + object.size).saturating_sub(array) / size))
}

/// `__tine_depends`.
pub fn depends(address: u64, size: u64) -> u32 {
    let here = state::gate().is_some_and(|gate| gate.records_here());
    u32::from(here && size > 0 && state::owned().is_symbolic(address, size))
}

/// `__tine_compare`.
///
/// # Safety
/// See [`comparison::of`].
pub unsafe fn compare(s: u64, t: u64, n: u64, folded: bool) -> Comparison {
    let recorder = state::gate().is_some_and(|gate| gate.records_here()).then(state::owned);
    // SAFETY: passed on.
    unsafe {
        let depends = |address| recorder.as_ref().is_some_and(|recorder| recorder.is_symbolic(address, 1));
        let is_unset = |address| recorder.as_ref().is_some_and(|recorder| recorder.is_unset(address));
        comparison::of([s, t], n, folded, depends, is_unset)
    }
}

/// `__tine_leaving`.
pub fn leaving(from: u64, size: u64) {
    if state::gate().is_some_and(|gate| gate.records_here()) {
        state::owned().leaving(from, size);
    }
}

/// `__tine_unset`.
pub fn unset(object: u64, size: u64) {
    if state::gate().is_some_and(|gate| gate.records_here()) {
        forbidden::unset(object, size);
    }
}

/// `__tine_sized`.
///
/// # Safety
/// `size` must be readable.
pub unsafe fn sized(object: u64, size: *const u64) {
    if state::gate().is_some_and(|gate| gate.records_here()) {
        // SAFETY: the caller guarantees it.
        state::owned().sized(object, size as u64, unsafe { *size });
    }
}

/// `__tine_freeing`.
///
/// # Safety
/// `pointer` must be readable.
pub unsafe fn freeing(pointer: *const u64) -> u32 {
    // SAFETY: the caller guarantees it; the site is this thread's own.
    let (address, user) = unsafe { (*pointer, (*passing::passing()).user_site) };
    if !state::gate().is_some_and(|gate| gate.records_here()) {
        return 0;
    }
    let site = user.checked_sub(1).map_or(Site::NONE, Site);
    u32::from(state::owned().freeing(site, pointer as u64, address))
}

/// `__tine_overwritten`. A program that is not instrumented, as in a replay, has no shadows.
pub fn overwritten(at: u64, size: u64) {
    if state::gate().is_some() {
        // SAFETY: it has no requirements.
        unsafe { clear(at, size) };
    }
}

/// `__tine_read_back`.
pub fn read_back() {
    // SAFETY: this thread's own.
    let user = unsafe { (*passing::passing()).user_site };
    let site = user.checked_sub(1).map_or(Site::NONE, Site);
    if state::gate().is_some_and(|gate| gate.records_here()) {
        notes::note(NoteKind::ReadBack, site, 0);
    }
}

/// `__tine_same_place`. There may be many calls, and calls through pointers leave no site.
pub fn same_place() {
    if state::gate().is_some_and(|gate| gate.records_here()) {
        notes::note(NoteKind::SamePlace, Site::NONE, 0);
    }
}

/// `__tine_place`.
pub fn place() -> u64 {
    if !state::gate().is_some_and(|gate| gate.records_here()) {
        return 0;
    }
    process::place().into_iter().fold(hash::EMPTY, hash::add).max(1)
}

/// `__tine_chosen`.
///
/// # Safety
/// `chosen` must be readable.
pub unsafe fn chosen(chosen: *const u32, number: u32, place: u64) -> u32 {
    // SAFETY: the caller guarantees it.
    let value = unsafe { *chosen };
    if let Some(recorder) = recorder_here() {
        recorder.choose(chosen as u64, value, number, Site::of_place(place));
    }
    u32::from(value == number)
}

/// `__tine_call_failed`.
pub fn call_failed(kind: u32, number: u32) {
    inputs::failed(kind, number);
}

/// `__tine_reject`.
pub fn reject() -> ! {
    failure::reject()
}

/// # Safety
/// `message` and `file` must be null or C strings.
pub unsafe fn fail(kind: u32, message: *const c_char, file: *const c_char, line: u32) {
    // SAFETY: the caller guarantees both.
    unsafe { failure::fail(kind, message, file, line) };
}
