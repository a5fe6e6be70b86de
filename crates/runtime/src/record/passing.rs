//! The thread-local `__tine_passing`, by which shadows travel with calls, and the shadow of variadic
//! arguments.

use core::arch::{asm, global_asm};
use core::ptr::with_exposed_provenance;

use tine_trace::entry::{MAX_VA, Passing, VA_STACK};

use super::state::Recorder;
use super::{forbidden, shadow};

// `.tbss`, so that every thread starts with zeros. Rust has no stable way to define a thread-local with a C
// name and the initial-exec model.
global_asm!(
    ".pushsection .tbss.__tine_passing,\"awT\",@nobits",
    ".globl __tine_passing",
    ".type __tine_passing, @tls_object",
    ".size __tine_passing, {size}",
    ".p2align 6",
    "__tine_passing:",
    ".zero {size}",
    ".popsection",
    size = const size_of::<Passing>(),
);

/// This thread's passing area.
pub fn passing() -> *mut Passing {
    let address: *mut Passing;
    // SAFETY: computes an address, by the initial-exec model, from the thread pointer.
    unsafe {
        asm!(
            "mov {0}, qword ptr [rip + __tine_passing@GOTTPOFF]",
            "add {0}, qword ptr fs:[0]",
            out(reg) address,
            options(nostack, pure, readonly),
        );
    }
    address
}

/// Site of the user's code that called the current model, plus one; 0 if there is none.
pub(crate) fn user_site() -> u32 {
    // SAFETY: this thread's own.
    unsafe { (*passing()).user_site }
}

/// The ABI's `va_list`.
#[repr(C)]
struct VaList {
    gp_offset: u32,
    fp_offset: u32,
    overflow: u64,
    registers: u64,
}

/// Bytes of the save area that hold general registers.
const GENERAL_LEN: u64 = 48;
const N_GENERAL: usize = 6;
/// Maximum number of bytes of arguments on the stack that are processed.
const MAX_OVERFLOW: u64 = 128;

/// A stack slot that marks the end of the call's arguments.
pub const VA_END: u32 = u32::MAX;

impl Recorder {
    /// `va_start`: `list` points to the variadic arguments, which code generation has stored. Writes their shadows.
    ///
    /// The shadows in `saved` are written for the save area and for the stack slots up to the last symbolic one
    /// ([`VA_END`], if the caller wrote it). The stack above belongs to the caller.
    ///
    /// # Safety
    /// `list` must be the address of a started `va_list`, `saved` that of `MAX_VA` shadows.
    pub(super) unsafe fn va_start(&mut self, list: u64, saved: *const u32) {
        // SAFETY: the caller guarantees both.
        let (list, saved) = unsafe {
            let list = with_exposed_provenance::<VaList>(list as usize).read_unaligned();
            (list, core::slice::from_raw_parts(saved, MAX_VA))
        };
        // Memory that returned frames left forbidden is used again. Variables of the caller follow the arguments.
        forbidden::allow(list.registers, GENERAL_LEN + 16 * (VA_STACK - N_GENERAL) as u64);
        forbidden::revive(list.overflow, MAX_OVERFLOW);
        let mut k = 0;
        while k < N_GENERAL {
            k += self.store_slot(list.registers + k as u64 * 8, 8, saved[k]);
        }
        for (k, &node) in saved[N_GENERAL..VA_STACK].iter().enumerate() {
            self.store_slot(list.registers + GENERAL_LEN + k as u64 * 16, 16, node);
        }
        let stack = &saved[VA_STACK..];
        let end = stack.iter().position(|node| *node == VA_END);
        let n = end.unwrap_or_else(|| stack.iter().rposition(|node| *node != 0).map_or(0, |last| last + 1));
        let mut k = 0;
        while k < n {
            k += self.store_slot(list.overflow + k as u64 * 8, 8, stack[k]);
        }
    }

    /// Writes the cells of an argument slot of `len` bytes; returns how many slots of eight bytes the node takes.
    fn store_slot(&mut self, address: u64, len: u64, node: u32) -> usize {
        let size = self.arena.get(node).map_or(0, |node| (node.width as u32).div_ceil(8));
        if (size as u64) < len {
            shadow::clear(address + size as u64, len - size as u64);
        }
        if size > 0 {
            self.store(address, size, node);
        }
        if size > 8 { 2 } else { 1 }
    }
}
