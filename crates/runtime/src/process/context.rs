//! Switching between the worker's stack and the unit's.

use core::arch::{asm, global_asm};

global_asm!(
    ".pushsection .text.__tine_stack_switch,\"ax\",@progbits",
    ".globl __tine_stack_switch",
    ".hidden __tine_stack_switch",
    ".type __tine_stack_switch,@function",
    // void __tine_stack_switch(u64 *saved, u64 top, fn entry): continues in entry on the stack that ends at top;
    // returns when *saved is resumed.
    "__tine_stack_switch:",
    "push rbp",
    "push rbx",
    "push r12",
    "push r13",
    "push r14",
    "push r15",
    "mov [rdi], rsp",
    "mov rsp, rsi",
    // The new stack's first frames save these. No values of tine, such as the number of the run, may be there.
    "xor ebp, ebp",
    "xor ebx, ebx",
    "xor r12d, r12d",
    "xor r13d, r13d",
    "xor r14d, r14d",
    "xor r15d, r15d",
    "call rdx",
    "ud2",
    ".size __tine_stack_switch, . - __tine_stack_switch",
    ".globl __tine_stack_resume",
    ".hidden __tine_stack_resume",
    ".type __tine_stack_resume,@function",
    "__tine_stack_resume:",
    "mov rsp, rdi",
    "pop r15",
    "pop r14",
    "pop r13",
    "pop r12",
    "pop rbx",
    "pop rbp",
    "cld",
    "ret",
    ".size __tine_stack_resume, . - __tine_stack_resume",
    ".popsection",
);

unsafe extern "C" {
    fn __tine_stack_switch(saved: *mut u64, top: u64, entry: extern "C" fn() -> !);
    fn __tine_stack_resume(saved: u64) -> !;
}

/// Runs `entry` on the stack that ends at `top` (16-byte aligned). Returns when [`resume`] is called with the value
/// written to `saved`.
///
/// # Safety
/// The stack must be mapped and not used otherwise.
pub unsafe fn switch(saved: *mut u64, top: u64, entry: extern "C" fn() -> !) {
    // SAFETY: the caller guarantees the stack; the callee-saved registers are kept on ours.
    unsafe { __tine_stack_switch(saved, top, entry) }
}

/// Returns from the [`switch`] that wrote `saved`, and abandons all later frames.
///
/// # Safety
/// That call must not have returned yet.
pub unsafe fn resume(saved: u64) -> ! {
    // SAFETY: the frame of the switch still exists.
    unsafe { __tine_stack_resume(saved) }
}

/// Identifies the running thread: the base of its thread-local storage.
#[inline]
pub fn thread_pointer() -> u64 {
    let pointer: u64;
    // SAFETY: on x86-64 the first word of the thread control block is its own address.
    unsafe { asm!("mov {}, fs:[0]", out(reg) pointer, options(nostack, readonly, preserves_flags)) };
    pointer
}

/// The approximate stack pointer.
#[inline(always)]
pub fn stack_pointer() -> u64 {
    let pointer: u64;
    // SAFETY: reads a register.
    unsafe { asm!("mov {}, rsp", out(reg) pointer, options(nostack, nomem, preserves_flags)) };
    pointer
}

/// A clock without overhead; its rate depends on the machine.
pub fn cycles() -> u64 {
    // SAFETY: reads a counter.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// Control word of SSE arithmetic: rounding and traps.
pub fn sse_control() -> u32 {
    let mut control = 0u32;
    // SAFETY: stores four bytes.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut control, options(nostack, preserves_flags)) };
    control
}

/// Gives both floating-point units the state of a fresh process, so that `fesetround` and `feenableexcept` of the last
/// run do not affect this run.
pub fn reset_floats(sse_control: u32) {
    // SAFETY: changes only state that no Rust code relies on; the x87 registers are empty between calls.
    unsafe { asm!("fninit", "ldmxcsr [{}]", in(reg) &raw const sse_control, options(nostack)) };
}
