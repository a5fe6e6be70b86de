//! Memory that the slice of a loop reads, and that the loop writes, while states of the loop are compared.
//!
//! ```text
//!   state kept ── reads of the slice, writes ── … ── the same state again: unchanged?
//! ```
//! When the loop reaches a state again, its slice takes the same course if it finds the same bytes. So no byte that it
//! reads may have been written with a value from outside of the slice, and bytes that it read before it wrote them must
//! have their first values again.

use core::ptr::with_exposed_provenance;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::passing::passing;

/// Number of words that are observed. A loop that accesses more is not proved infinite.
const N_WORDS: usize = 512;
/// Number of places that are tried for a word.
const N_PLACES: usize = 16;
/// Largest access.
const MAX_SIZE: u64 = 512;
/// Number of accesses after which the observation ends, because it costs too much.
const MAX_ACCESSES: u32 = 1 << 16;

/// A word of eight bytes, with a bit for each byte: read before it was written, read, written, and written with a value
/// from outside of the slice.
struct Word {
    /// Observation that it belongs to.
    epoch: AtomicU32,
    bytes: AtomicU32,
    number: AtomicU64,
    /// Values of the bytes that were read before they were written.
    first: AtomicU64,
}

static WORDS: [Word; N_WORDS] = [const {
    Word { epoch: AtomicU32::new(0), bytes: AtomicU32::new(0), number: AtomicU64::new(0), first: AtomicU64::new(0) }
}; N_WORDS];
static EPOCH: AtomicU32 = AtomicU32::new(0);
static N_ACCESSES: AtomicU32 = AtomicU32::new(0);
/// Loop for which memory is observed.
static OWNER: AtomicU64 = AtomicU64::new(0);

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Reads,
    /// Writes a value that the slice determines.
    WritesKnown,
    Writes,
}

/// Starts to observe memory for this loop.
pub(super) fn start(owner: u64) {
    OWNER.store(owner, Ordering::Relaxed);
    N_ACCESSES.store(0, Ordering::Relaxed);
    EPOCH.fetch_add(1, Ordering::Relaxed);
    set_observing(true);
}

/// Ends every observation. Called when something happens that is not analysed.
pub(super) fn stop() {
    set_observing(false);
}

fn set_observing(observing: bool) {
    // SAFETY: this thread's own.
    unsafe { (*passing()).observes_loop = u32::from(observing) }
}

/// True if the slice of this loop would read the same as since [`start`].
pub(super) fn is_unchanged(owner: u64) -> bool {
    // SAFETY: this thread's own.
    let observes = unsafe { (*passing()).observes_loop != 0 };
    let epoch = EPOCH.load(Ordering::Relaxed);
    let is_same = |word: &Word| {
        let [first, _, written, _] = word.bytes.load(Ordering::Relaxed).to_le_bytes();
        let mask = spread(first & written);
        word.epoch.load(Ordering::Relaxed) != epoch
            || mask == 0
            || (word.first.load(Ordering::Relaxed) ^ contents(word.number.load(Ordering::Relaxed))) & mask == 0
    };
    observes && OWNER.load(Ordering::Relaxed) == owner && WORDS.iter().all(is_same)
}

/// Notes an access that has just happened.
pub(super) fn note(address: u64, size: u64, access: Access) {
    if size == 0 {
        return;
    }
    let accesses = N_ACCESSES.fetch_add(1, Ordering::Relaxed);
    let Some(end) = address.checked_add(size).filter(|_| size <= MAX_SIZE && accesses < MAX_ACCESSES) else {
        return stop();
    };
    for number in address / 8..=(end - 1) / 8 {
        let first = address.saturating_sub(number * 8).min(8);
        let last = (end - number * 8).min(8);
        let bytes = ((1u32 << last) - (1u32 << first)) as u8;
        if !note_bytes(number, bytes, access) {
            return stop();
        }
    }
}

/// Returns false if the observation cannot continue.
fn note_bytes(number: u64, bytes: u8, access: Access) -> bool {
    let Some(word) = word(number) else { return false };
    let [mut first, mut read, mut written, mut foreign] = word.bytes.load(Ordering::Relaxed).to_le_bytes();
    match access {
        Access::Reads => {
            let new = bytes & !written & !first;
            if new != 0 {
                let mask = spread(new);
                let value = word.first.load(Ordering::Relaxed) & !mask | contents(number) & mask;
                word.first.store(value, Ordering::Relaxed);
            }
            first |= new;
            read |= bytes;
        }
        Access::WritesKnown => written |= bytes,
        Access::Writes => {
            written |= bytes;
            foreign |= bytes;
        }
    }
    word.bytes.store(u32::from_le_bytes([first, read, written, foreign]), Ordering::Relaxed);
    read & foreign == 0
}

/// The place of a word; `None` if the table is full there.
fn word(number: u64) -> Option<&'static Word> {
    let epoch = EPOCH.load(Ordering::Relaxed);
    let start = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize;
    (start..start + N_PLACES).map(|place| &WORDS[place % N_WORDS]).find(|word| {
        if word.epoch.load(Ordering::Relaxed) != epoch {
            word.epoch.store(epoch, Ordering::Relaxed);
            word.bytes.store(0, Ordering::Relaxed);
            word.number.store(number, Ordering::Relaxed);
        }
        word.number.load(Ordering::Relaxed) == number
    })
}

/// A mask of whole bytes.
fn spread(bytes: u8) -> u64 {
    u64::from_le_bytes(core::array::from_fn(|k| if bytes >> k & 1 != 0 { 0xff } else { 0 }))
}

fn contents(number: u64) -> u64 {
    // SAFETY: the program has accessed a part of this aligned word, which lies in one page. Unmapping it would have
    // ended the observation.
    unsafe { with_exposed_provenance::<u64>((number * 8) as usize).read_volatile() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Accesses to two words are noted as the program would make them. Each test has its own memory.
    fn after(accesses: &[(usize, u64, Access, Option<u8>)]) -> bool {
        let mut memory = [1u64; 2];
        let base = memory.as_mut_ptr().expose_provenance() as u64;
        start(9);
        for &(at, size, access, value) in accesses {
            if let Some(value) = value {
                // SAFETY: inside of `memory`.
                unsafe { memory.as_mut_ptr().cast::<u8>().add(at).write_volatile(value) };
            }
            note(base + at as u64, size, access);
        }
        let is_unchanged = is_unchanged(9);
        assert!(!super::is_unchanged(8), "another loop");
        is_unchanged
    }

    #[test]
    fn what_is_read_must_have_its_first_value() {
        use Access::*;
        // One test, because the observation is one.
        assert!(after(&[(0, 8, Reads, None)]));
        assert!(after(&[(0, 1, Reads, None), (1, 1, Writes, Some(5))]), "beside it");
        assert!(!after(&[(0, 2, Reads, None), (1, 1, Writes, Some(0))]), "unknown, although the same");
        assert!(!after(&[(1, 1, Writes, Some(5)), (0, 2, Reads, None)]), "unknown");
        assert!(!after(&[(0, 1, Reads, None), (0, 1, WritesKnown, Some(2))]), "changed");
        assert!(after(&[(0, 1, Reads, None), (0, 1, WritesKnown, Some(2)), (0, 1, WritesKnown, Some(1))]), "restored");
        assert!(after(&[(0, 1, WritesKnown, Some(2)), (0, 1, Reads, None)]), "written first");
        assert!(after(&[(6, 4, Reads, None), (4, 2, Writes, Some(7)), (10, 1, Writes, Some(7))]), "across words");
        assert!(!after(&[(6, 4, Reads, None), (9, 1, Writes, Some(7))]), "in the second word");
        assert!(!after(&[(0, MAX_SIZE + 1, Writes, None)]), "too large");
        assert!(!after(&[(0, 1, Reads, None); MAX_ACCESSES as usize + 1]), "too many");
        start(9);
        stop();
        assert!(!is_unchanged(9));
    }

    #[test]
    fn masks() {
        assert_eq!(spread(0b1000_0001), 0xff00_0000_0000_00ff);
    }
}
