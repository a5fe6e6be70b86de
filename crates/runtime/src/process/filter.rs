//! The seccomp filter: what [`super::policy`] passes goes to the kernel, everything else to the trap, and
//! the runtime's own `syscall` instruction may do anything.

use super::policy::{PASS, call};
use crate::sys::{self, nr};

/// One instruction of the kernel's classic BPF.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
struct Instruction {
    code: u16,
    if_true: u8,
    if_false: u8,
    k: u32,
}

const LOAD: u16 = 0x20;
const JUMP_EQUAL: u16 = 0x15;
const JUMP_ANY_BIT: u16 = 0x45;
const RETURN: u16 = 0x06;

// Offsets in the kernel's `seccomp_data`.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const INSTRUCTION: u32 = 8;
const fn argument(index: u32) -> u32 {
    16 + 8 * index
}

const X86_64: u32 = 0xc000_003e;
const RETURN_ALLOW: u32 = 0x7fff_0000;
const RETURN_TRAP: u32 = 0x0003_0000;

const CLONE_THREAD: u32 = 0x1_0000;
/// TCGETS, TIOCGPGRP, TIOCGWINSZ, FIONREAD: questions.
const IOCTL_QUERIES: [u32; 4] = [0x5401, 0x540f, 0x5413, 0x541b];
/// F_GETFD, F_GETFL, F_GETLK.
const FCNTL_QUERIES: [u32; 3] = [1, 3, 5];

/// FUTEX_WAIT and FUTEX_WAIT_BITSET, each also private and by the real-time clock.
const FUTEX_WAITS: [u32; 8] = [0, 128, 256, 384, 9, 137, 265, 393];

struct Program {
    code: [Instruction; 320],
    len: usize,
}

impl Program {
    fn push(&mut self, code: u16, k: u32, if_true: u8, if_false: u8) {
        self.code[self.len] = Instruction { code, if_true, if_false, k };
        self.len += 1;
    }

    fn load(&mut self, offset: u32) {
        self.push(LOAD, offset, 0, 0);
    }

    fn answer(&mut self, answer: u32) {
        self.push(RETURN, answer, 0, 0);
    }

    /// Allows what the loaded word equals.
    fn allow_equal(&mut self, value: u32) {
        self.push(JUMP_EQUAL, value, 0, 1);
        self.answer(RETURN_ALLOW);
    }

    /// For call `number`: loads `argument`, does `test`, and has the number loaded again afterwards.
    fn with_argument(&mut self, number: u32, index: u32, test: impl FnOnce(&mut Program)) {
        let jump = self.len;
        self.push(JUMP_EQUAL, number, 0, 0);
        self.load(argument(index));
        test(self);
        self.load(NUMBER);
        self.code[jump].if_false = (self.len - jump - 1) as u8;
    }
}

fn program(trusted: u64) -> Program {
    let mut program = Program { code: [Instruction::default(); 320], len: 0 };
    program.load(ARCHITECTURE);
    program.push(JUMP_EQUAL, X86_64, 1, 0);
    program.answer(RETURN_TRAP);
    // Answers that depend on the number alone come first: the kernel then caches them.
    program.load(NUMBER);
    // Each costs two instructions: pairs share the answer instead.
    for pair in PASS.chunks(2) {
        if let [first, second] = pair {
            program.push(JUMP_EQUAL, *first, 1, 0);
            program.push(JUMP_EQUAL, *second, 0, 1);
            program.answer(RETURN_ALLOW);
        } else {
            program.allow_equal(pair[0]);
        }
    }
    // Only what can wait for a limited time is trapped; see `super::clock`.
    program.with_argument(call::FUTEX, 1, |program| {
        // From each comparison to the test of the time limit: over those that follow, and the answer.
        for (i, wait) in FUTEX_WAITS.into_iter().enumerate() {
            program.push(JUMP_EQUAL, wait, (FUTEX_WAITS.len() - i) as u8, 0);
        }
        program.answer(RETURN_ALLOW);
        program.load(argument(3));
        program.push(JUMP_EQUAL, 0, 0, 3);
        program.load(argument(3) + 4);
        program.allow_equal(0);
    });
    for (number, timeout) in [(call::POLL, 2), (call::EPOLL_WAIT, 3), (call::EPOLL_PWAIT, 3)] {
        program.with_argument(number, timeout, |program| program.allow_equal(0));
    }
    program.with_argument(call::CLONE, 0, |program| {
        program.push(JUMP_ANY_BIT, CLONE_THREAD, 0, 1);
        program.answer(RETURN_ALLOW);
    });
    program.with_argument(call::IOCTL, 1, |program| {
        IOCTL_QUERIES.into_iter().for_each(|query| program.allow_equal(query));
    });
    program.with_argument(call::FCNTL, 1, |program| {
        FCNTL_QUERIES.into_iter().for_each(|query| program.allow_equal(query));
    });
    program.load(INSTRUCTION);
    program.push(JUMP_EQUAL, trusted as u32, 0, 3);
    program.load(INSTRUCTION + 4);
    program.push(JUMP_EQUAL, (trusted >> 32) as u32, 0, 1);
    program.answer(RETURN_ALLOW);
    program.answer(RETURN_TRAP);
    program
}

/// Installs the filter for this process and what it forks. False where the kernel has no seccomp.
pub(super) fn install() -> bool {
    const SECCOMP_SET_MODE_FILTER: usize = 1;
    const SECCOMP_FILTER_FLAG_SPEC_ALLOW: usize = 4;
    #[repr(C)]
    struct Filter {
        len: u16,
        code: *const Instruction,
    }
    let program = program(sys::trusted_address());
    let filter = Filter { len: program.len as u16, code: program.code.as_ptr() };
    let arguments = [SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &raw const filter as usize, 0, 0, 0];
    // SAFETY: the filter and its code live for the call.
    unsafe { sys::call(nr::SECCOMP, arguments) }.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the filter answers, by the kernel's rules.
    fn run(number: u32, arguments: [u64; 6], instruction: u64) -> u32 {
        let program = program(0x5555_1234_5678);
        let mut data = [0u8; 64];
        data[0..4].copy_from_slice(&number.to_le_bytes());
        data[4..8].copy_from_slice(&X86_64.to_le_bytes());
        data[8..16].copy_from_slice(&instruction.to_le_bytes());
        for (i, argument) in arguments.iter().enumerate() {
            data[16 + 8 * i..24 + 8 * i].copy_from_slice(&argument.to_le_bytes());
        }
        let (mut at, mut loaded) = (0, 0);
        loop {
            let instruction = program.code[..program.len][at];
            at += 1;
            let jump = |taken| usize::from(if taken { instruction.if_true } else { instruction.if_false });
            match instruction.code {
                LOAD => {
                    let offset = instruction.k as usize;
                    loaded = u32::from_le_bytes(data[offset..offset + 4].try_into().unwrap());
                }
                JUMP_EQUAL => at += jump(loaded == instruction.k),
                JUMP_ANY_BIT => at += jump(loaded & instruction.k != 0),
                _ => return instruction.k,
            }
        }
    }

    fn check(number: u32, arguments: [u64; 6], allowed: bool) {
        let expected = if allowed { RETURN_ALLOW } else { RETURN_TRAP };
        assert_eq!(run(number, arguments, 0x7fff_f7e0_0000), expected, "{number} {arguments:x?}");
        assert_eq!(run(number, arguments, 0x5555_1234_5678), RETURN_ALLOW, "trusted {number}");
    }

    #[test]
    fn everything_listed_passes_and_the_rest_traps() {
        for number in 0..500 {
            // A futex operation that does not wait.
            let passes = PASS.contains(&number) || number == call::FUTEX;
            check(number, [0, 0x1234, 7, 7, 0, 0], passes);
        }
    }

    #[test]
    fn some_calls_depend_on_an_argument() {
        check(call::CLONE, [0x003d_0f00, 0, 0, 0, 0, 0], true);
        check(call::CLONE, [0x0120_0011, 0, 0, 0, 0, 0], false);
        check(call::IOCTL, [1, 0x5401, 0, 0, 0, 0], true);
        check(call::IOCTL, [1, 0x5412, 0, 0, 0, 0], false);
        check(call::FCNTL, [1, 3, 0, 0, 0, 0], true);
        check(call::FCNTL, [1, 4, 0, 0, 0, 0], false);
        check(call::POLL, [0, 0, 0, 0, 0, 0], true);
        check(call::POLL, [0, 0, u64::MAX, 0, 0, 0], false);
        check(call::EPOLL_WAIT, [3, 0x1000, 1, 0, 0, 0], true);
        check(call::EPOLL_WAIT, [3, 0x1000, 1, 5, 0, 0], false);
        for wait in FUTEX_WAITS.map(u64::from) {
            check(call::FUTEX, [0x1000, wait, 0, 0, 0, 0], true);
            check(call::FUTEX, [0x1000, wait, 0, 0x7fff_0000_1000, 0, 0], false);
            check(call::FUTEX, [0x1000, wait, 0, 0x7fff_0000_0000, 0, 0], false);
        }
    }
}
