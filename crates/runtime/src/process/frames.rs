//! Position of the program: the return addresses on its stack, as offsets into its file.
//!
//! The stack is walked with the tables for exceptions ([`unwind`]). If this finds no address of the program
//! (hand-written assembly, a corrupted stack), every word that points after a call instruction of the program counts as
//! a return address. Some of them may be stale.

use core::ffi::CStr;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tine_trace::outcome::{MAX_FRAMES, Outcome};

use super::unwind::{self, Object, RIP, RSP, Registers};
use super::{heap, stack};

/// Difference between addresses in memory and in the program's file.
static BIAS: AtomicU64 = AtomicU64::new(0);
static TEXT_START: AtomicU64 = AtomicU64::new(0);
static TEXT_END: AtomicU64 = AtomicU64::new(0);

/// Maximum number of objects whose tables are known: the program and the libraries loaded at its start.
const MAX_OBJECTS: usize = 64;
static N_OBJECTS: AtomicUsize = AtomicUsize::new(0);
static OBJECTS: [[AtomicU64; 3]; MAX_OBJECTS] = [const { [const { AtomicU64::new(0) }; 3] }; MAX_OBJECTS];

/// Maximum number of frames walked, including the C library's.
const MAX_STEPS: usize = 64;
/// Number of bytes of the stack that are scanned if it cannot be walked.
const SCAN: u64 = 64 << 10;

#[repr(C)]
struct ProgramHeader {
    kind: u32,
    flags: u32,
    offset: u64,
    address: u64,
    physical: u64,
    file_len: u64,
    len: u64,
    align: u64,
}

/// The start of the C library's `struct dl_phdr_info`.
#[derive(Debug)]
#[repr(C)]
pub struct LoadedObject {
    bias: u64,
    name: *const u8,
    headers: *const ProgramHeader,
    n_headers: u16,
}

/// Notes the positions of an object's code and tables. Called by `dl_iterate_phdr`, which passes the program first.
///
/// # Safety
/// `object` must be the one passed by `dl_iterate_phdr`.
pub unsafe extern "C" fn note_object(object: *const LoadedObject, _len: usize, _data: *mut u8) -> i32 {
    const PT_LOAD: u32 = 1;
    const PT_GNU_EH_FRAME: u32 = 0x6474_e550;
    const EXECUTABLE: u32 = 1;
    // SAFETY: the C library passes its list of program headers.
    let (bias, headers) = unsafe {
        let object = &*object;
        (object.bias, core::slice::from_raw_parts(object.headers, usize::from(object.n_headers)))
    };
    let (mut start, mut end, mut table) = (u64::MAX, 0, 0);
    for header in headers {
        if header.kind == PT_LOAD && header.flags & EXECUTABLE != 0 {
            start = start.min(bias.wrapping_add(header.address));
            end = end.max(bias.wrapping_add(header.address + header.len));
        } else if header.kind == PT_GNU_EH_FRAME {
            table = bias.wrapping_add(header.address);
        }
    }
    // SAFETY: the C library's name of the object, null or a C string.
    if unsafe { is_of_c_library((*object).name) } {
        let free = LIBRARIES.iter().find(|slot| slot[1].load(Ordering::Relaxed) == 0);
        for (to, value) in free.into_iter().flatten().zip([start, end]) {
            to.store(value, Ordering::Relaxed);
        }
    }
    let n = N_OBJECTS.load(Ordering::Relaxed);
    if TEXT_END.load(Ordering::Relaxed) == 0 {
        BIAS.store(bias, Ordering::Relaxed);
        TEXT_START.store(start, Ordering::Relaxed);
        TEXT_END.store(end, Ordering::Relaxed);
    }
    if let Some(slot) = OBJECTS.get(n)
        && table != 0
    {
        for (to, value) in slot.iter().zip([start, end, table]) {
            to.store(value, Ordering::Relaxed);
        }
        N_OBJECTS.store(n + 1, Ordering::Relaxed);
    }
    0
}

/// Code of the C library: start and end of each of its objects.
static LIBRARIES: [[AtomicU64; 2]; 16] = [const { [const { AtomicU64::new(0) }; 2] }; 16];

/// True if an object belongs to the C library or the dynamic linker.
///
/// # Safety
/// `name` must be null or a C string.
unsafe fn is_of_c_library(name: *const u8) -> bool {
    const NAMES: &[&[u8]] = &[
        b"libc.so",
        b"libc-",
        b"libc.musl",
        b"ld-",
        b"libm.so",
        b"libm-",
        b"libmvec",
        b"libpthread",
        b"libdl.",
        b"libdl-",
        b"librt.",
        b"librt-",
        b"libresolv",
        b"libutil.",
        b"libutil-",
        b"libanl",
        b"libnss_",
        b"libgcc_s",
        b"linux-vdso",
    ];
    if name.is_null() {
        return false;
    }
    // SAFETY: the caller guarantees it.
    let path = unsafe { CStr::from_ptr(name.cast()) }.to_bytes();
    let file = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
    NAMES.iter().any(|name| file.starts_with(name))
}

/// True if a function belongs to the C library, or replaces one of its functions in tine.
pub(crate) fn is_library(function: u64) -> bool {
    let is_inside = |slot: &[AtomicU64; 2]| {
        let [start, end] = [&slot[0], &slot[1]].map(|bound| bound.load(Ordering::Relaxed));
        (start..end).contains(&function)
    };
    heap::exports::is_one(function) || LIBRARIES.iter().any(is_inside)
}

/// Writes the position of the program into the outcome.
pub(super) fn fill(outcome: &mut Outcome, registers: &Registers) {
    let bias = BIAS.load(Ordering::Relaxed);
    outcome.frames[0] = registers.0[RIP].wrapping_sub(bias);
    let mut found = Found { frames: &mut outcome.frames, n: 1 };
    walk(registers, &mut found);
    if found.n == 1 && !is_text(registers.0[RIP]) {
        scan(registers.0[RSP], &mut found);
    }
    outcome.n_frames = found.n as u32;
}

/// As [`fill`], for calls from the runtime: the caller's frames.
#[inline(never)]
pub(super) fn fill_here(outcome: &mut Outcome) {
    fill(outcome, &here());
}

/// See [`super::place`].
#[inline(never)]
pub(super) fn place<const N: usize>() -> [u64; N] {
    let first = MAX_FRAMES - N;
    let mut frames = [0; MAX_FRAMES];
    walk(&here(), &mut Found { frames: &mut frames, n: first });
    core::array::from_fn(|k| frames[first + k])
}

/// Current values of the registers that calls preserve.
#[inline(always)]
fn here() -> Registers {
    let mut registers = Registers([0; unwind::N_REGISTERS]);
    let to = registers.0.as_mut_ptr();
    // SAFETY: stores registers into the array.
    unsafe {
        core::arch::asm!(
            "mov [{to} + 8 * {RBX}], rbx",
            "mov [{to} + 8 * {RBP}], rbp",
            "mov [{to} + 8 * {RSP}], rsp",
            "mov [{to} + 8 * {R12}], r12",
            "mov [{to} + 8 * {R12} + 8], r13",
            "mov [{to} + 8 * {R12} + 16], r14",
            "mov [{to} + 8 * {R12} + 24], r15",
            "lea {pc}, [rip]",
            "mov [{to} + 8 * {RIP}], {pc}",
            to = in(reg) to,
            pc = out(reg) _,
            RBX = const unwind::RBX,
            RBP = const unwind::RBP,
            RSP = const RSP,
            R12 = const unwind::R12,
            RIP = const RIP,
            options(nostack),
        );
    }
    registers
}

struct Found<'a> {
    frames: &'a mut [u64; MAX_FRAMES],
    n: usize,
}

impl Found<'_> {
    /// Adds a return address. Returns false when there is no room for another one.
    fn add(&mut self, address: u64) -> bool {
        if let Some(slot) = self.frames.get_mut(self.n) {
            *slot = address.wrapping_sub(BIAS.load(Ordering::Relaxed));
            self.n += 1;
        }
        self.n < MAX_FRAMES
    }
}

fn walk(registers: &Registers, found: &mut Found<'_>) {
    let mut objects = [Object { start: 0, end: 0, table: 0 }; MAX_OBJECTS];
    let n = N_OBJECTS.load(Ordering::Relaxed);
    for (object, words) in objects[..n].iter_mut().zip(&OBJECTS) {
        let [start, end, table] = [0, 1, 2].map(|i| words[i].load(Ordering::Relaxed));
        *object = Object { start, end, table };
    }
    let mut registers = *registers;
    let mut exact = true;
    // A call to an invalid address has only pushed its return address.
    if !objects[..n].iter().any(|object| (object.start..object.end).contains(&registers.0[RIP])) {
        let Some(top) = stack::end_above(registers.0[RSP]) else { return };
        if top - registers.0[RSP] < 8 {
            return;
        }
        // SAFETY: inside the unit's stack, which grows to contain it if necessary.
        registers.0[RIP] = unsafe { (registers.0[RSP] as *const u64).read_unaligned() };
        registers.0[RSP] += 8;
        exact = false;
        if is_text(registers.0[RIP]) && !found.add(registers.0[RIP]) {
            return;
        }
    }
    for _ in 0..MAX_STEPS {
        if unwind::step(&mut registers, exact, &objects[..n]).is_none() {
            return;
        }
        exact = false;
        if is_text(registers.0[RIP]) && !found.add(registers.0[RIP]) {
            return;
        }
    }
}

fn is_text(address: u64) -> bool {
    (TEXT_START.load(Ordering::Relaxed)..TEXT_END.load(Ordering::Relaxed)).contains(&address)
}

fn scan(sp: u64, found: &mut Found<'_>) {
    let Some(top) = stack::end_above(sp) else { return };
    let end = top.min(sp + SCAN);
    let mut at = sp.next_multiple_of(8);
    while at + 8 <= end {
        // SAFETY: inside the unit's stack, which grows to contain it if necessary.
        let word = unsafe { (at as *const u64).read_volatile() };
        if is_return_address(word) && !found.add(word) {
            return;
        }
        at += 8;
    }
}

fn is_return_address(word: u64) -> bool {
    if !is_text(word) || !is_text(word - 8) {
        return false;
    }
    // SAFETY: the eight bytes before lie in the program's code, which is mapped and readable.
    follows_call(unsafe { &*((word - 8) as *const [u8; 8]) })
}

/// True if these bytes end with a call instruction.
fn follows_call(before: &[u8; 8]) -> bool {
    // call rel32
    if before[3] == 0xe8 {
        return true;
    }
    // call r/m64: ff /2, followed by the bytes of its operand.
    (2..=7).any(|len| {
        let at = 8 - len;
        before[at] == 0xff && before[at + 1] >> 3 & 7 == 2 && operand_len(&before[at + 1..]) + 1 == len
    })
}

/// Length of ModRM, SIB and displacement.
fn operand_len(bytes: &[u8]) -> usize {
    let modrm = bytes[0];
    let (mode, rm) = (modrm >> 6, modrm & 7);
    let sib = mode != 3 && rm == 4;
    let displacement = match mode {
        0 if rm == 5 => 4,
        0 if sib && bytes.get(1).is_some_and(|sib| sib & 7 == 5) => 4,
        1 => 1,
        2 => 4,
        _ => 0,
    };
    1 + usize::from(sib) + displacement
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: &[u8], expected: bool) {
        let mut before = [0x90; 8];
        before[8 - code.len()..].copy_from_slice(code);
        assert_eq!(follows_call(&before), expected, "{code:x?}");
    }

    #[test]
    fn calls_are_recognised_by_their_bytes() {
        check(&[0xe8, 1, 2, 3, 4], true); // call rel32
        check(&[0xff, 0xd0], true); // call rax
        check(&[0x41, 0xff, 0xd3], true); // call r11
        check(&[0xff, 0x50, 0x18], true); // call [rax+0x18]
        check(&[0xff, 0x54, 0x24, 0x08], true); // call [rsp+8]
        check(&[0xff, 0x15, 1, 2, 3, 4], true); // call [rip+…]
        check(&[0xff, 0x90, 1, 2, 3, 4], true); // call [rax+disp32]
        check(&[0xff, 0x94, 0x24, 1, 2, 3, 4], true); // call [rsp+disp32]
        check(&[0xff, 0x14, 0x25, 1, 2, 3, 4], true); // call [disp32]
    }

    #[test]
    fn other_bytes_are_not() {
        check(&[0xe9, 1, 2, 3, 4], false); // jmp rel32
        check(&[0xff, 0xe0], false); // jmp rax
        check(&[0xff, 0x75, 0x08], false); // push [rbp+8]
        check(&[0x90], false);
        check(&[0xff, 0x50, 0x18, 0x90], false); // a call, but not right before
    }
}
