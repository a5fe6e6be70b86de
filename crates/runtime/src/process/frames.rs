//! Where the program is: its load address, its code, and the return addresses on a stack.
//!
//! Code without frame pointers leaves no chain to follow, and unwinding by tables is more than a signal
//! handler should do on a broken stack. So every word of the stack that points behind a call instruction of
//! the program is taken for a return address. Dead ones may be among them; the reader looks for the
//! innermost that makes sense.

use core::sync::atomic::{AtomicU64, Ordering};

use tine_trace::outcome::{MAX_FRAMES, Outcome};

use super::stack;

/// Difference between addresses in memory and in the file.
static BIAS: AtomicU64 = AtomicU64::new(0);
static TEXT_START: AtomicU64 = AtomicU64::new(0);
static TEXT_END: AtomicU64 = AtomicU64::new(0);

/// Bytes of the stack that are looked at.
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

/// Finds the program in memory by its program headers, as the kernel passed them.
///
/// # Safety
/// `headers` must be the program's own headers (`AT_PHDR`, `AT_PHNUM`).
pub(super) unsafe fn locate(headers: u64, count: usize) {
    const PT_LOAD: u32 = 1;
    const PT_PHDR: u32 = 6;
    const EXECUTABLE: u32 = 1;
    if headers == 0 {
        return;
    }
    // SAFETY: the caller vouches for the headers.
    let list = unsafe { core::slice::from_raw_parts(headers as *const ProgramHeader, count) };
    let bias = list.iter().find(|header| header.kind == PT_PHDR).map_or(0, |own| headers - own.address);
    let (mut start, mut end) = (u64::MAX, 0);
    for header in list.iter().filter(|header| header.kind == PT_LOAD && header.flags & EXECUTABLE != 0) {
        start = start.min(bias + header.address);
        end = end.max(bias + header.address + header.len);
    }
    BIAS.store(bias, Ordering::Relaxed);
    TEXT_START.store(start, Ordering::Relaxed);
    TEXT_END.store(end, Ordering::Relaxed);
}

/// Writes into the outcome where the program is: `pc` (0 when not known), then return addresses from `sp`
/// upward.
pub fn fill(outcome: &mut Outcome, pc: u64, sp: u64) {
    let bias = BIAS.load(Ordering::Relaxed);
    let mut n = 0;
    if pc != 0 {
        outcome.frames[0] = pc.wrapping_sub(bias);
        n = 1;
    }
    if let Some(top) = stack::end_above(sp) {
        let end = top.min(sp + SCAN);
        let mut at = sp.next_multiple_of(8);
        while at + 8 <= end && n < MAX_FRAMES {
            // SAFETY: inside the unit's stack, which grows to hold it if need be.
            let word = unsafe { (at as *const u64).read_volatile() };
            if is_return_address(word) {
                // The first is where the program is: the call, not what follows it.
                outcome.frames[n] = word.wrapping_sub(bias) - u64::from(n == 0);
                n += 1;
            }
            at += 8;
        }
    }
    outcome.n_frames = n as u32;
}

fn is_return_address(word: u64) -> bool {
    let (start, end) = (TEXT_START.load(Ordering::Relaxed), TEXT_END.load(Ordering::Relaxed));
    if word < start.saturating_add(8) || word > end {
        return false;
    }
    // SAFETY: the eight bytes before lie in the program's code, which is mapped and readable.
    let before = unsafe { core::slice::from_raw_parts((word - 8) as *const u8, 8) };
    follows_call(before.first_chunk().expect("eight bytes"))
}

/// Whether these bytes end with a call instruction.
fn follows_call(before: &[u8; 8]) -> bool {
    // call rel32
    if before[3] == 0xe8 {
        return true;
    }
    // call r/m64: ff /2, with the length that its operand needs.
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
