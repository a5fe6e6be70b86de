//! Descriptor numbers of symbolic files. The models of `open` and similar functions request the lowest free number, as
//! the kernel would choose it.
//!
//! The kernel does not know such a number at first, so an ordinary run leaves its process fit for the next one. Before
//! a system call that may create a descriptor, the kernel gets a placeholder for each reserved number ([`hold`]). The
//! placeholder cannot be read, so code without a model does not confuse it with an empty file.

use core::sync::atomic::{AtomicU64, Ordering};

use crate::sys::{self, nr};

const N_WORDS: usize = 16;
const N_NUMBERS: i32 = 64 * N_WORDS as i32;

/// A set of descriptor numbers.
struct Numbers([AtomicU64; N_WORDS]);

static RESERVED: Numbers = Numbers([const { AtomicU64::new(0) }; N_WORDS]);
/// Reserved numbers for which the kernel has a placeholder.
static HELD: Numbers = Numbers([const { AtomicU64::new(0) }; N_WORDS]);

impl Numbers {
    fn slot(&self, number: i32) -> Option<(&AtomicU64, u64)> {
        let number = usize::try_from(number).ok()?;
        Some((self.0.get(number / 64)?, 1 << (number % 64)))
    }

    fn contains(&self, number: i32) -> bool {
        self.slot(number).is_some_and(|(word, bit)| word.load(Ordering::Relaxed) & bit != 0)
    }

    fn insert(&self, number: i32) {
        if let Some((word, bit)) = self.slot(number) {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Removes a number. Returns true if it was in the set.
    fn remove(&self, number: i32) -> bool {
        self.slot(number).is_some_and(|(word, bit)| word.fetch_and(!bit, Ordering::Relaxed) & bit != 0)
    }

    fn clear(&self) {
        self.0.iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }
}

/// Resets the numbers at the start of a run.
pub(super) fn begin() {
    RESERVED.clear();
    HELD.clear();
}

/// The lowest free number that is at least `from`; -1 if there is none.
pub fn reserve(from: i32) -> i32 {
    let is_free = |number: &i32| !RESERVED.contains(*number) && !is_open(*number);
    let number = (from.max(0)..N_NUMBERS).find(is_free).unwrap_or(-1);
    RESERVED.insert(number);
    number
}

/// Frees a number. Returns true if it was reserved.
pub fn release(number: i32) -> bool {
    if HELD.remove(number) {
        sys::close(number);
    }
    RESERVED.remove(number)
}

fn is_open(number: i32) -> bool {
    const F_GETFD: usize = 1;
    // SAFETY: the command reads and writes no memory.
    unsafe { sys::call(nr::FCNTL, [number as usize, F_GETFD, 0, 0, 0, 0]) }.is_ok()
}

/// Creates the missing placeholders. Async-signal-safe.
pub(super) fn hold() {
    for (k, (reserved, held)) in RESERVED.0.iter().zip(&HELD.0).enumerate() {
        let missing = reserved.load(Ordering::Relaxed) & !held.load(Ordering::Relaxed);
        if missing != 0 {
            (0..64).filter(|bit| missing >> bit & 1 != 0).for_each(|bit| hold_one(64 * k as i32 + bit));
        }
    }
}

fn hold_one(number: i32) {
    const O_PATH: u32 = 0o10_000_000;
    const DUP2: usize = 33;
    let Ok(new) = sys::open(b"/dev/null\0", O_PATH) else { return };
    if new != number {
        // SAFETY: two descriptors; the second number is unused in the kernel.
        let _ = unsafe { sys::raw(DUP2, [new as usize, number as usize, 0, 0, 0, 0]) };
        sys::close(new);
    }
    HELD.insert(number);
}
