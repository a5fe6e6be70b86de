//! Signals that end a run: their position becomes the outcome.

use core::arch::global_asm;

use tine_trace::event::Site;
use tine_trace::layout::{INPUTS_BASE, INPUTS_LEN};
use tine_trace::outcome::{ErrorKind, Outcome, OutcomeKind};

use super::unwind::{N_REGISTERS, R12, RBP, RBX, RIP, RSP, Registers};
use super::{frames, stack, state, trap, worker};
use crate::record;
use crate::sys::{self, nr};

pub(super) const SIGILL: i32 = 4;
pub(super) const SIGTRAP: i32 = 5;
pub(super) const SIGABRT: i32 = 6;
pub(super) const SIGBUS: i32 = 7;
pub(super) const SIGFPE: i32 = 8;
pub(super) const SIGSEGV: i32 = 11;
pub(super) const SIGXFSZ: i32 = 25;
/// The signal of the trap, and of the engine's time limit. It is the only signal for which no handler of the unit runs.
/// So the handlers by which a unit reacts to its end never run because the engine ends it.
pub(super) const SIGSYS: i32 = 31;

/// Signals that end a run by themselves: faults, and signals that a program sends to itself and that end it unless it
/// handles them (HUP, INT, QUIT, USR1, USR2, PIPE, ALRM, TERM, STKFLT, XCPU, VTALRM, PROF, POLL, PWR).
const FATAL: [i32; 22] = [
    SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGXFSZ, SIGSYS, 1, 2, 3, 10, 12, 13, 14, 15, 16, 24, 26, 27,
    29, 30,
];

/// Bit of a signal in the kernel's masks.
pub(super) const fn bit(signal: i32) -> u64 {
    1 << (signal - 1)
}

/// The kernel's `struct sigaction`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Action {
    pub(super) handler: u64,
    pub(super) flags: u64,
    pub(super) restorer: u64,
    pub(super) mask: u64,
}

/// The start of the kernel's `siginfo_t`, as the signals here use it.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Info {
    pub(super) signal: i32,
    pub(super) errno: i32,
    pub(super) code: i32,
    _pad: i32,
    /// Faults: the address. SIGSYS: the calling instruction. Sent signals: the sender's process and user number.
    pub(super) address: u64,
    /// SIGSYS: number of the system call.
    pub(super) call: i32,
    /// SIGSYS: its architecture.
    pub(super) architecture: u32,
}

impl Info {
    /// The process that sent the signal, if there is one. The unit sends signals only to itself, so any other sender is
    /// the engine.
    fn sender(&self) -> Option<i32> {
        (self.code <= 0).then_some(self.address as i32)
    }
}

/// The kind of error of a fault, if it is known more precisely than by the signal.
fn known(signal: i32, outcome: &Outcome, context: &Context) -> Option<ErrorKind> {
    const WRITES: u64 = 2;
    const LOWEST: u64 = 1 << 16;
    let kind = if signal != SIGSEGV {
        return None;
    } else if context.rip < LOWEST {
        // A call through a null pointer.
        ErrorKind::NullPointer
    } else if outcome.address.wrapping_sub(INPUTS_BASE - LOWEST) >= INPUTS_LEN {
        return None;
    } else if context.error & WRITES != 0 {
        ErrorKind::OutOfBoundsWrite
    } else {
        ErrorKind::OutOfBoundsRead
    };
    record::checks(kind).then_some(kind)
}

/// The kernel's `struct ucontext` up to the signal mask.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Context {
    _flags: u64,
    _link: u64,
    _stack: [u64; 3],
    pub(super) r8: u64,
    pub(super) r9: u64,
    pub(super) r10: u64,
    pub(super) r11: u64,
    pub(super) r12_r15: [u64; 4],
    pub(super) rdi: u64,
    pub(super) rsi: u64,
    pub(super) rbp: u64,
    pub(super) rbx: u64,
    pub(super) rdx: u64,
    pub(super) rax: u64,
    pub(super) rcx: u64,
    pub(super) rsp: u64,
    pub(super) rip: u64,
    _rest: [u64; 2],
    /// For a page fault: bit 1 is set for a write.
    pub(super) error: u64,
    _more: [u64; 3],
    _floats: u64,
    _reserved: [u64; 8],
    pub(super) mask: u64,
}

const _: () = assert!(core::mem::offset_of!(Context, mask) == 296);

impl Context {
    /// Registers needed to walk the stack.
    pub(super) fn registers(&self) -> Registers {
        let mut registers = Registers([0; N_REGISTERS]);
        registers.0[RBX] = self.rbx;
        registers.0[RBP] = self.rbp;
        registers.0[RSP] = self.rsp;
        registers.0[R12..R12 + 4].copy_from_slice(&self.r12_r15);
        registers.0[RIP] = self.rip;
        registers
    }
}

type Handler = extern "C" fn(i32, *mut Info, *mut Context);

global_asm!(
    ".pushsection .text.__tine_sigreturn,\"ax\",@progbits",
    ".globl __tine_sigreturn",
    ".hidden __tine_sigreturn",
    ".type __tine_sigreturn,@function",
    "__tine_sigreturn:",
    "mov eax, 15",
    "syscall",
    ".size __tine_sigreturn, . - __tine_sigreturn",
    ".popsection",
);

unsafe extern "C" {
    fn __tine_sigreturn();
}

const SA_SIGINFO: u64 = 4;
const SA_RESTORER: u64 = 0x0400_0000;
const SA_ONSTACK: u64 = 0x0800_0000;
const SA_NODEFER: u64 = 0x4000_0000;

fn install(signal: i32, handler: Handler, flags: u64, mask: u64) -> sys::Result<()> {
    let action = Action {
        handler: handler as *const () as u64,
        flags: flags | SA_SIGINFO | SA_RESTORER,
        restorer: __tine_sigreturn as *const () as u64,
        mask,
    };
    set_action(signal, &action)
}

fn set_action(signal: i32, action: &Action) -> sys::Result<()> {
    let arguments = [signal as usize, &raw const *action as usize, 0, size_of::<u64>(), 0, 0];
    // SAFETY: the action lives for the call; handlers are functions of the right type.
    unsafe { sys::call(nr::RT_SIGACTION, arguments) }.map(drop)
}

/// Restores the default action of a signal.
fn set_default(signal: i32) {
    let _ = set_action(signal, &Action { handler: 0, flags: 0, restorer: 0, mask: 0 });
}

/// Installs the handler for SIGSYS, for the sandbox. All signals are blocked while it runs, so that a signal that the
/// unit sends to itself arrives where the unit sent it.
pub(super) fn install_trap() -> sys::Result<()> {
    install(SIGSYS, trap::on_trap, SA_ONSTACK, !0)
}

/// Gives handlers of this thread a separate stack.
pub(super) fn install_stack() -> sys::Result<()> {
    let (base, len) = state::SIGNAL_STACK;
    let stack = [base, 0, len];
    // SAFETY: the stack is mapped for the process's whole life.
    unsafe { sys::call(nr::SIGALTSTACK, [stack.as_ptr() as usize, 0, 0, 0, 0, 0]) }.map(drop)
}

/// Installs the handlers for signals that end a run. `trapped` is true if the trap already handles SIGSYS.
pub(super) fn install_fatal(trapped: bool) -> sys::Result<()> {
    install_stack()?;
    let signals = FATAL.iter().filter(|signal| !trapped || **signal != SIGSYS);
    signals.copied().try_for_each(|signal| install(signal, on_fatal, SA_ONSTACK | SA_NODEFER, 0))
}

/// The signal mask of this thread.
pub(super) fn mask() -> u64 {
    let mut mask = 0u64;
    let arguments = [0, 0, &raw mut mask as usize, size_of::<u64>(), 0, 0];
    // SAFETY: without a new mask only the old one is written.
    let _ = unsafe { sys::raw(nr::RT_SIGPROCMASK, arguments) };
    mask
}

pub(super) fn set_mask(mask: u64) {
    const SIG_SETMASK: usize = 2;
    let arguments = [SIG_SETMASK, &raw const mask as usize, 0, size_of::<u64>(), 0, 0];
    // SAFETY: reads the mask only.
    let _ = unsafe { sys::raw(nr::RT_SIGPROCMASK, arguments) };
}

pub(super) extern "C" fn on_fatal(signal: i32, info: *mut Info, context: *mut Context) {
    // SAFETY: the kernel passes both for the handler's duration.
    let (info, context) = unsafe { (&*info, &*context) };
    let time_is_up = signal == SIGSYS && info.sender().is_some_and(|sender| sender != sys::getpid());
    if !state::running() || !worker::is_worker() {
        // Between runs, a late signal of the time limit has no meaning. Any other signal is a bug in tine, or the end
        // of a process that the unit forked. The default action ends the process when the instruction is tried again.
        if !time_is_up {
            set_default(signal);
            if info.sender().is_some() {
                // The signal was sent, so no instruction is tried again.
                // SAFETY: takes numbers only.
                let _ = unsafe { sys::raw(nr::KILL, [sys::getpid() as usize, signal as usize, 0, 0, 0, 0]) };
            }
        }
        return;
    }
    // A second fault, during the report of the first one: the available information must suffice.
    let again = (state::SIGNAL_STACK.0..state::SIGNAL_STACK.0 + state::SIGNAL_STACK.1).contains(&context.rsp);
    let mut outcome = Outcome { site: Site::NONE.0, ..Outcome::default() };
    if time_is_up {
        outcome.kind = OutcomeKind::Timeout as u32;
    } else if signal == SIGSEGV && stack::is_overflow(info.address) {
        outcome.kind = OutcomeKind::StackOverflow as u32;
        outcome.address = info.address;
    } else {
        outcome.kind = OutcomeKind::Signal as u32;
        outcome.code = signal as u32;
        // Faults have positive codes. For other signals the field has another meaning.
        outcome.address = if info.code > 0 { info.address } else { 0 };
        if let Some(kind) = known(signal, &outcome, context) {
            outcome.kind = OutcomeKind::Failed as u32;
            outcome.code = kind as u32;
        }
    }
    if !again {
        frames::fill(&mut outcome, &context.registers());
    }
    worker::stop(outcome)
}
