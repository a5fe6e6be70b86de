//! The symbols that instrumented code and harnesses call.
//!
//! The entry points come from the list in `trace`. Each is delegated to the function of the same name in
//! [`super::calls`], so a new line in the list does not compile until that function exists.

use core::ffi::c_char;

use tine_trace::entry::Comparison;
use tine_trace::plan::InputKind;

use super::monitors::{self, Point, Reported, Spec};
use super::observed::{self, Access};
use super::{calls, versions};
use crate::process::descriptors;

macro_rules! machine_type {
    (shadow) => { u32 };
    (ptr) => { *mut u8 };
    ($other:ident) => { $other };
}

macro_rules! define {
    ($( fn $name:ident ( $( $argument:ident : $type:ident ),* ) $( -> $result:ident )? ; )*) => { $(
        #[doc = concat!("`__tine_", stringify!($name), "`: see [`tine_trace::entry`].")]
        ///
        /// # Safety
        /// Called only by instrumented code, as the list specifies.
        #[unsafe(export_name = concat!("__tine_", stringify!($name)))]
        pub unsafe extern "C" fn $name( $( $argument: machine_type!($type) ),* ) $( -> machine_type!($result) )? {
            // SAFETY: the caller fulfils the list's contract, which is the callee's.
            unsafe { calls::$name( $( $argument ),* ) }
        }
    )* };
}

tine_trace::entry_points!(define);

/// `__tine_input`: see [`tine_trace::entry::INTERFACE`].
///
/// # Safety
/// `to` must be writable for `size` bytes, `name` null or a C string.
#[unsafe(export_name = "__tine_input")]
pub unsafe extern "C" fn input(to: *mut u8, size: u64, name: *const c_char, kind: u32) {
    // SAFETY: passed on.
    unsafe { calls::input(to, size, name, kind, 0) }
}

/// `__tine_root`: see [`tine_trace::entry::INTERFACE`].
///
/// # Safety
/// `to` must be writable for `size` bytes, `name` null or a C string.
#[unsafe(export_name = "__tine_root")]
pub unsafe extern "C" fn root(to: *mut u8, size: u64, name: *const c_char, kind: u32, ty: u32) {
    // SAFETY: passed on.
    unsafe { calls::input(to, size, name, kind, ty) }
}

/// `__tine_volatile`: see [`tine_trace::entry::INTERFACE`].
///
/// # Safety
/// `to` must be writable for `size` bytes, `name` null or a C string.
#[unsafe(export_name = "__tine_volatile")]
pub unsafe extern "C" fn volatile(to: *mut u8, size: u64, name: *const c_char) {
    let name = if name.is_null() { c"volatile".as_ptr() } else { name };
    // SAFETY: passed on.
    unsafe { calls::input(to, size, name, InputKind::Unsigned as u32, 0) }
}

/// `__tine_room`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_room")]
pub extern "C" fn room(array: u64, n: u64, size: u64) -> u64 {
    calls::room(array, n, size)
}

/// `__tine_functions`: see [`tine_trace::entry::INTERFACE`].
///
/// # Safety
/// `table` must hold `n` addresses.
#[unsafe(export_name = "__tine_functions")]
pub unsafe extern "C" fn functions(table: *const u64, n: u32) {
    // SAFETY: passed on.
    unsafe { calls::functions(table, n) }
}

/// `__tine_length`: see [`tine_trace::entry::INTERFACE`].
///
/// # Safety
/// `pointer` must be readable, `count` for `count_size` bytes, 1 to 8.
#[unsafe(export_name = "__tine_length")]
pub unsafe extern "C" fn length(pointer: *const u64, count: *const u8, count_size: u64, element: u64, is_stated: u32) {
    // SAFETY: passed on.
    unsafe { calls::length(pointer, count, count_size, element, is_stated != 0) }
}

/// `__tine_choice`: see [`tine_trace::entry::INTERFACE`].
///
/// # Safety
/// `name` must be null or a C string.
#[unsafe(export_name = "__tine_choice")]
pub unsafe extern "C" fn choice(n: u32, name: *const c_char) -> u32 {
    // SAFETY: passed on.
    unsafe { calls::choice(n, name) }
}

/// `__tine_missing`: see [`tine_trace::entry::INTERFACE`].
///
/// # Safety
/// `name` must be a C string.
#[unsafe(export_name = "__tine_missing")]
pub unsafe extern "C" fn missing(name: *const c_char) -> ! {
    // SAFETY: passed on.
    unsafe { calls::missing(name) }
}

/// `__tine_difference`: see [`tine_trace::entry::INTERFACE`].
///
/// # Safety
/// The strings must be C strings.
#[unsafe(export_name = "__tine_difference")]
pub unsafe extern "C" fn difference(
    message: *const c_char,
    file: *const c_char,
    line: u32,
    function: *const c_char,
) -> ! {
    // SAFETY: passed on.
    unsafe { versions::difference(message, file, line, function) }
}

/// `__tine_ends`: see [`tine_trace::entry::INTERFACE`].
///
/// # Safety
/// The strings must be C strings.
#[unsafe(export_name = "__tine_ends")]
pub unsafe extern "C" fn ends(file: *const c_char, line: u32, function: *const c_char) -> u32 {
    versions::ends(file, line, function)
}

/// `__tine_attempt`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_attempt")]
pub extern "C" fn attempt(version: u32, leave: u64) {
    versions::attempt(version, leave);
}

/// `__tine_object`: see [`tine_trace::entry::INTERFACE`].
///
/// # Safety
/// `size` must be writable.
#[unsafe(export_name = "__tine_object")]
pub unsafe extern "C" fn object(index: u32, size: *mut u64) -> u64 {
    // SAFETY: the caller guarantees it.
    versions::object(index, unsafe { &mut *size })
}

/// `__tine_transfer`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_transfer")]
pub extern "C" fn transfer(to: u64, from: u64, len: u64) {
    versions::transfer(to, from, len);
}

/// `__tine_unlike`: see [`tine_trace::entry::INTERFACE`].
///
/// # Safety
/// `width` must be writable.
#[unsafe(export_name = "__tine_unlike")]
pub unsafe extern "C" fn unlike(old: u64, new: u64, from: u64, len: u64, width: *mut u32) -> u64 {
    // SAFETY: the caller guarantees it.
    versions::unlike(old, new, from, len, unsafe { &mut *width })
}

/// `__tine_extent`: see [`tine_trace::entry::INTERFACE`].
///
/// # Safety
/// `start` and `size` must be writable.
#[unsafe(export_name = "__tine_extent")]
pub unsafe extern "C" fn extent(address: u64, start: *mut u64, size: *mut u64) -> u32 {
    // SAFETY: the caller guarantees both.
    let (start, size) = unsafe { (&mut *start, &mut *size) };
    versions::extent(address, start, size)
}

/// `__tine_event`: see [`tine_trace::entry::INTERFACE`].
///
/// # Safety
/// The pointers must be those of a harness.
#[unsafe(export_name = "__tine_event")]
pub unsafe extern "C" fn event(
    spec: *const Spec,
    object: u64,
    what: u32,
    point: *const Point,
    a: u64,
    b: u64,
    c: u64,
    d: u64,
) -> u32 {
    let reported = Reported { object, what, point, values: [a, b, c, d] };
    // SAFETY: passed on.
    unsafe { monitors::event(spec, &reported) }.into()
}

/// `__tine_end_of_run`: see [`tine_trace::entry::INTERFACE`].
///
/// # Safety
/// The pointer must be that of a harness.
#[unsafe(export_name = "__tine_end_of_run")]
pub unsafe extern "C" fn end_of_run(spec: *const Spec) {
    // SAFETY: passed on.
    unsafe { monitors::end_of_run(spec) }
}

/// `__tine_followed`: see [`tine_trace::entry::INTERFACE`].
///
/// # Safety
/// The pointer must be that of a harness.
#[unsafe(export_name = "__tine_followed")]
pub unsafe extern "C" fn followed(spec: *const Spec, index: u32) -> u64 {
    // SAFETY: passed on.
    unsafe { monitors::object(spec, index) }
}

/// `__tine_is_symbolic`: see [`tine_trace::entry::INTERFACE`]. Instrumented code with symbolic values knows the answer.
#[unsafe(export_name = "__tine_is_symbolic")]
pub extern "C" fn is_symbolic(_: u64) -> u32 {
    0
}

/// `__tine_not_followed`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_not_followed")]
pub extern "C" fn not_followed() {
    monitors::not_followed();
}

/// `__tine_endless`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_endless")]
pub extern "C" fn endless() {
    calls::endless();
}

/// `__tine_loop`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_loop")]
pub extern "C" fn turn(number: u64, turn: u64, a: u64, b: u64, c: u64, d: u64, e: u64, f: u64) {
    calls::turn(number, turn, [a, b, c, d, e, f]);
}

/// `__tine_loop_read`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_loop_read")]
pub extern "C" fn loop_read(address: u64, size: u64) {
    observed::note(address, size, Access::Reads);
}

/// `__tine_loop_wrote`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_loop_wrote")]
pub extern "C" fn loop_wrote(address: u64, size: u64, known: u64) {
    observed::note(address, size, if known == 0 { Access::Writes } else { Access::WritesKnown });
}

/// `__tine_loop_opaque`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_loop_opaque")]
pub extern "C" fn loop_opaque() {
    observed::stop();
}

/// `__tine_beyond`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_beyond")]
pub extern "C" fn beyond() -> ! {
    calls::beyond()
}

/// `__tine_reject`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_reject")]
pub extern "C" fn reject() -> ! {
    calls::reject()
}

/// `__tine_state`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_state")]
pub extern "C" fn state(calls_left: u32) {
    calls::state(calls_left);
}

/// `__tine_alive`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_alive")]
pub extern "C" fn alive(address: u64) -> u32 {
    calls::alive(address)
}

/// `__tine_depends`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_depends")]
pub extern "C" fn depends(address: u64, size: u64) -> u32 {
    calls::depends(address, size)
}

/// `__tine_compare`: see [`tine_trace::entry::INTERFACE`].
///
/// # Safety
/// `s` and `t` must be strings, or readable for `n` bytes or up to their first difference; `answer` must be writable.
#[unsafe(export_name = "__tine_compare")]
pub unsafe extern "C" fn compare(s: u64, t: u64, n: u64, folded: u32, answer: *mut Comparison) {
    // SAFETY: passed on.
    unsafe { *answer = calls::compare(s, t, n, folded != 0) };
}

/// `__tine_plain`: see [`tine_trace::entry::INTERFACE`]. It receives no shadows and returns none.
#[unsafe(export_name = "__tine_plain")]
pub extern "C" fn plain(value: u64) -> u64 {
    value
}

/// `__tine_freeing`: see [`tine_trace::entry::INTERFACE`].
///
/// # Safety
/// `pointer` must be readable.
#[unsafe(export_name = "__tine_freeing")]
pub unsafe extern "C" fn freeing(pointer: *const u64) -> u32 {
    // SAFETY: passed on.
    unsafe { calls::freeing(pointer) }
}

/// `__tine_overwritten`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_overwritten")]
pub extern "C" fn overwritten(at: u64, size: u64) {
    calls::overwritten(at, size);
}

/// `__tine_leaving`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_leaving")]
pub extern "C" fn leaving(from: u64, size: u64) {
    calls::leaving(from, size);
}

/// `__tine_unset`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_unset")]
pub extern "C" fn unset(object: u64, size: u64) {
    calls::unset(object, size);
}

/// `__tine_sized`: see [`tine_trace::entry::INTERFACE`].
///
/// # Safety
/// `size` must be readable.
#[unsafe(export_name = "__tine_sized")]
pub unsafe extern "C" fn sized(object: u64, size: *const u64) {
    // SAFETY: passed on.
    unsafe { calls::sized(object, size) }
}

/// `__tine_reserve_descriptor`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_reserve_descriptor")]
pub extern "C" fn reserve_descriptor(from: i32) -> i32 {
    descriptors::reserve(from)
}

/// `__tine_release_descriptor`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_release_descriptor")]
pub extern "C" fn release_descriptor(number: i32) -> i32 {
    i32::from(descriptors::release(number))
}

/// `__tine_read_back`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_read_back")]
pub extern "C" fn read_back() {
    calls::read_back();
}

/// `__tine_place`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_place")]
pub extern "C" fn place() -> u64 {
    calls::place()
}

/// `__tine_chosen`: see [`tine_trace::entry::INTERFACE`].
///
/// # Safety
/// `chosen` must be readable.
#[unsafe(export_name = "__tine_chosen")]
pub unsafe extern "C" fn chosen(chosen: *const u32, number: u32, place: u64) -> u32 {
    // SAFETY: passed on.
    unsafe { calls::chosen(chosen, number, place) }
}

/// `__tine_call_failed`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_call_failed")]
pub extern "C" fn call_failed(kind: u32, number: u32) {
    calls::call_failed(kind, number);
}

/// `__tine_same_place`: see [`tine_trace::entry::INTERFACE`].
#[unsafe(export_name = "__tine_same_place")]
pub extern "C" fn same_place() {
    calls::same_place();
}

/// `__tine_fail`: see [`tine_trace::entry::INTERFACE`].
///
/// # Safety
/// `message` and `file` must be null or C strings.
#[unsafe(export_name = "__tine_fail")]
pub unsafe extern "C" fn fail(kind: u32, message: *const c_char, file: *const c_char, line: u32) {
    // SAFETY: passed on.
    unsafe { calls::fail(kind, message, file, line) }
}
