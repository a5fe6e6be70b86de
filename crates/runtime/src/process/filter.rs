//! The trap's seccomp filter. Calls that leave no trace pass. The others go to the trap, which notes them, redirects
//! them to copies of files and marks the process for replacement. The runtime's own `syscall` instruction passes.
//!
//! This filter is not a protection: the unit can use that instruction, too. The engine's filters
//! ([`tine_trace::filter`]) are below it and apply to all callers.

use tine_trace::filter::{
    ALLOW, INSTRUCTION, IOCTL_QUERIES, Instruction, JUMP_ANY_BIT, JUMP_EQUAL, Program, TRAP, argument,
};

use super::policy::{PASS, call};
use crate::sys::{self, nr};

const CLONE_THREAD: u32 = 0x1_0000;
/// F_GETFD, F_GETLK.
const FCNTL_QUERIES: [u32; 2] = [1, 5];

/// FUTEX_WAIT and FUTEX_WAIT_BITSET, each also private and by the real-time clock.
const FUTEX_WAITS: [u32; 8] = [0, 128, 256, 384, 9, 137, 265, 393];

fn program(trusted: u64) -> Program {
    let mut program = Program::new(TRAP);
    program.allow_numbers(PASS);
    // Only waits with a time limit are trapped; see `super::clock`.
    program.with_argument(call::FUTEX, 1, |program| {
        // From each comparison, jump to the test of the time limit: over the remaining comparisons and the answer.
        for (i, wait) in FUTEX_WAITS.into_iter().enumerate() {
            program.push(JUMP_EQUAL, wait, (FUTEX_WAITS.len() - i) as u8, 0);
        }
        program.answer(ALLOW);
        program.load(argument(3));
        program.push(JUMP_EQUAL, 0, 0, 3);
        program.load(argument(3) + 4);
        program.answer_if_equal(0, ALLOW);
    });
    for (number, timeout) in [(call::POLL, 2), (call::EPOLL_WAIT, 3), (call::EPOLL_PWAIT, 3)] {
        program.with_argument(number, timeout, |program| program.answer_if_equal(0, ALLOW));
    }
    program.with_argument(call::CLONE, 0, |program| {
        program.push(JUMP_ANY_BIT, CLONE_THREAD, 0, 1);
        program.answer(ALLOW);
    });
    program.with_argument(call::IOCTL, 1, |program| {
        IOCTL_QUERIES.into_iter().for_each(|query| program.answer_if_equal(query, ALLOW));
    });
    program.with_argument(call::FCNTL, 1, |program| {
        FCNTL_QUERIES.into_iter().for_each(|query| program.answer_if_equal(query, ALLOW));
    });
    // Without an address.
    program.with_argument(call::SENDTO, 4, |program| {
        program.push(JUMP_EQUAL, 0, 0, 3);
        program.load(argument(4) + 4);
        program.answer_if_equal(0, ALLOW);
    });
    program.load(INSTRUCTION);
    program.push(JUMP_EQUAL, trusted as u32, 0, 3);
    program.load(INSTRUCTION + 4);
    program.push(JUMP_EQUAL, (trusted >> 32) as u32, 0, 1);
    program.answer(ALLOW);
    program.answer(TRAP);
    program
}

/// Installs the filter for this process and its forks. Returns false if the kernel has no seccomp.
pub(super) fn install() -> bool {
    const SECCOMP_SET_MODE_FILTER: usize = 1;
    const SECCOMP_FILTER_FLAG_SPEC_ALLOW: usize = 4;
    #[repr(C)]
    struct Filter {
        len: u16,
        code: *const Instruction,
    }
    let program = program(sys::trusted_address());
    let filter = Filter { len: program.code().len() as u16, code: program.code().as_ptr() };
    let arguments = [SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &raw const filter as usize, 0, 0, 0];
    // SAFETY: the filter and its code live until the call returns.
    unsafe { sys::call(nr::SECCOMP, arguments) }.is_ok()
}

#[cfg(test)]
mod tests {
    use tine_trace::filter::{Wall, X86_64, fail};

    use super::*;

    fn check(number: u32, arguments: [u64; 6], allowed: bool) {
        let run = |instruction| program(0x5555_1234_5678).run(X86_64, number, arguments, instruction);
        let expected = if allowed { ALLOW } else { TRAP };
        assert_eq!(run(0x7fff_f7e0_0000), expected, "{number} {arguments:x?}");
        assert_eq!(run(0x5555_1234_5678), ALLOW, "the runtime's {number}");
    }

    #[test]
    fn everything_listed_passes_and_the_rest_traps() {
        for number in 0..500 {
            // A futex operation that does not wait.
            let passes = PASS.contains(&number) || number == call::FUTEX;
            check(number, [0, 0x1234, 7, 7, 1, 0], passes);
        }
    }

    #[test]
    fn some_calls_depend_on_an_argument() {
        check(call::CLONE, [0x003d_0f00, 0, 0, 0, 0, 0], true);
        check(call::CLONE, [0x0120_0011, 0, 0, 0, 0, 0], false);
        check(call::IOCTL, [1, 0x5401, 0, 0, 0, 0], true);
        check(call::IOCTL, [1, 0x5412, 0, 0, 0, 0], false);
        check(call::FCNTL, [1, 1, 0, 0, 0, 0], true);
        check(call::FCNTL, [1, 3, 0, 0, 0, 0], false);
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
        check(call::SENDTO, [1, 3, 0, 0, 0, 0], true);
        check(call::SENDTO, [1, 3, 0, 0, 1 << 32, 0], false);
    }

    /// A call that passes here and is refused by the engine's filter would fail without a note.
    #[test]
    fn what_passes_is_allowed_by_the_wall() {
        let wall = Wall { landlock: 0 }.program();
        for number in PASS {
            assert_eq!(wall.run(X86_64, *number, [0; 6], 0), ALLOW, "{number}");
        }
        assert_eq!(wall.run(X86_64, call::SENDTO, [1, 3, 0, 0, 1, 0], 0), fail(1));
    }
}
