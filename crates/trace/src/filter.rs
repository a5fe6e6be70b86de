//! Seccomp filters as data: a builder for the kernel's classic BPF, and the two filters that the engine installs before
//! it starts a unit. They decide by system call and arguments, never by caller. No code of the unit runs before them.
//!
//! ```text
//!   wall      lists harmless calls; others fail with EPERM, or with ENOSYS if unknown here
//!   doorman   asks the engine before programs and processes are started
//!   trap      the runtime's own (`runtime/src/process/filter.rs`): bookkeeping, not a protection
//! ```
//! The strictest answer wins, so the trap cannot allow calls that the wall refuses.

/// One instruction of the kernel's classic BPF.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Instruction {
    pub code: u16,
    pub if_true: u8,
    pub if_false: u8,
    pub k: u32,
}

/// Instruction: loads a word of `seccomp_data`.
pub const LOAD: u16 = 0x20;
/// Instruction: jumps if the word equals `k`.
pub const JUMP_EQUAL: u16 = 0x15;
/// Instruction: jumps if the word is greater than `k`.
pub const JUMP_GREATER: u16 = 0x25;
/// Instruction: jumps if the word has a bit of `k`.
pub const JUMP_ANY_BIT: u16 = 0x45;
/// Instruction: keeps only the bits of `k`.
pub const AND: u16 = 0x54;
/// Instruction: ends with the answer `k`.
pub const RETURN: u16 = 0x06;

// Offsets in the kernel's `seccomp_data`.
/// Offset of the number of the system call.
pub const NUMBER: u32 = 0;
/// Offset of the interface of the call.
pub const ARCHITECTURE: u32 = 4;
/// Offset of the lower half of the instruction pointer.
pub const INSTRUCTION: u32 = 8;
/// Offset of the lower half of an argument.
pub const fn argument(index: u32) -> u32 {
    16 + 8 * index
}

/// The 64-bit interface.
pub const X86_64: u32 = 0xc000_003e;
/// Answer: the call is made.
pub const ALLOW: u32 = 0x7fff_0000;
/// Answer: the thread gets SIGSYS.
pub const TRAP: u32 = 0x0003_0000;
/// Notifies the process that holds the filter's listener.
pub const NOTIFY: u32 = 0x7fc0_0000;
const EPERM: u32 = 1;
const ENOSYS: u32 = 38;
const EOPNOTSUPP: u32 = 95;
/// Fails with this error.
pub const fn fail(errno: u32) -> u32 {
    0x0005_0000 | errno
}

/// Room for the largest filter.
pub const MAX_INSTRUCTIONS: usize = 640;

/// A filter.
#[derive(Clone, Debug)]
pub struct Program {
    code: [Instruction; MAX_INSTRUCTIONS],
    len: usize,
}

impl Program {
    /// Starts a filter that gives `foreign` for system calls of another architecture (`int 0x80`). For others the
    /// number is loaded.
    pub fn new(foreign: u32) -> Program {
        let mut program = Program { code: [Instruction::default(); MAX_INSTRUCTIONS], len: 0 };
        program.load(ARCHITECTURE);
        program.push(JUMP_EQUAL, X86_64, 1, 0);
        program.answer(foreign);
        program.load(NUMBER);
        program
    }

    /// The instructions so far.
    pub fn code(&self) -> &[Instruction] {
        &self.code[..self.len]
    }

    /// Appends an instruction.
    pub fn push(&mut self, code: u16, k: u32, if_true: u8, if_false: u8) {
        self.code[self.len] = Instruction { code, if_true, if_false, k };
        self.len += 1;
    }

    /// Loads a word of the system call.
    pub fn load(&mut self, offset: u32) {
        self.push(LOAD, offset, 0, 0);
    }

    /// Ends with an answer.
    pub fn answer(&mut self, answer: u32) {
        self.push(RETURN, answer, 0, 0);
    }

    /// Gives `answer` if the loaded word equals `value`.
    pub fn answer_if_equal(&mut self, value: u32, answer: u32) {
        self.push(JUMP_EQUAL, value, 0, 1);
        self.answer(answer);
    }

    /// Gives `answer` if the loaded word has one of these bits.
    pub fn answer_if_any_bit(&mut self, bits: u32, answer: u32) {
        self.push(JUMP_ANY_BIT, bits, 0, 1);
        self.answer(answer);
    }

    /// Allows these numbers. Answers that depend on the number alone should come first: the kernel caches them.
    pub fn allow_numbers(&mut self, numbers: &[u32]) {
        // Pairs share one return instruction, which saves instructions.
        for pair in numbers.chunks(2) {
            if let [first, second] = pair {
                self.push(JUMP_EQUAL, *first, 1, 0);
                self.push(JUMP_EQUAL, *second, 0, 1);
                self.answer(ALLOW);
            } else {
                self.answer_if_equal(pair[0], ALLOW);
            }
        }
    }

    /// For call `number`: loads an argument and does `test`. Afterwards the number is loaded again.
    pub fn with_argument(&mut self, number: u32, index: u32, test: impl FnOnce(&mut Program)) {
        let jump = self.len;
        self.push(JUMP_EQUAL, number, 0, 0);
        self.load(argument(index));
        test(self);
        self.load(NUMBER);
        self.code[jump].if_false = (self.len - jump - 1) as u8;
    }

    /// The filter's answer, by the kernel's rules. For tests.
    pub fn run(&self, architecture: u32, number: u32, arguments: [u64; 6], instruction: u64) -> u32 {
        let mut words = [0u32; 16];
        words[0] = number;
        words[1] = architecture;
        words[2] = instruction as u32;
        words[3] = (instruction >> 32) as u32;
        for (i, argument) in arguments.iter().enumerate() {
            words[4 + 2 * i] = *argument as u32;
            words[5 + 2 * i] = (argument >> 32) as u32;
        }
        let (mut at, mut loaded) = (0, 0);
        loop {
            let instruction = self.code()[at];
            at += 1;
            let jump = |taken| usize::from(if taken { instruction.if_true } else { instruction.if_false });
            match instruction.code {
                LOAD => loaded = words[instruction.k as usize / 4],
                AND => loaded &= instruction.k,
                JUMP_EQUAL => at += jump(loaded == instruction.k),
                JUMP_GREATER => at += jump(loaded > instruction.k),
                JUMP_ANY_BIT => at += jump(loaded & instruction.k != 0),
                _ => return instruction.k,
            }
        }
    }
}

mod wall;

pub use wall::{IOCTL_QUERIES, Wall, doorman};
