//! Other threads of the process: their activity, and the deadlines of sleeping threads.

use core::sync::atomic::{AtomicU64, Ordering};

use crate::sys;

const GETDENTS64: usize = 217;
const O_DIRECTORY: u32 = 0o200_000;

/// Virtual deadlines of waiting threads (by the monotonic clock); 0 is a free place.
static DEADLINES: [AtomicU64; 64] = [const { AtomicU64::new(0) }; 64];

/// A place in [`DEADLINES`], used while a thread waits.
pub(super) struct Deadline(Option<usize>);

impl Deadline {
    pub(super) fn announce(at: u64) -> Deadline {
        let free = |place: &AtomicU64| place.compare_exchange(0, at, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        Deadline(DEADLINES.iter().position(free))
    }

    /// True if no thread has an earlier deadline.
    pub(super) fn is_first(&self, at: u64) -> bool {
        DEADLINES.iter().all(|place| !(1..at).contains(&place.load(Ordering::Relaxed)))
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        if let Some(place) = self.0 {
            DEADLINES[place].store(0, Ordering::Relaxed);
        }
    }
}

/// Activity of the other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Others {
    /// There are none.
    None,
    /// All of them sleep in the kernel.
    Idle,
    Busy,
}

/// Examines the threads of this process. If `/proc` cannot be read, they count as busy, so time is real.
pub(super) fn others() -> Others {
    let Ok(folder) = sys::open(b"/proc/self/task\0", O_DIRECTORY) else { return Others::Busy };
    let (mut count, mut all_sleep) = (0, true);
    let own = sys::gettid();
    let mut entries = [0; 2048];
    loop {
        // SAFETY: the buffer lives for the call.
        let read =
            unsafe { sys::call(GETDENTS64, [folder as usize, entries.as_mut_ptr() as usize, entries.len(), 0, 0, 0]) };
        let Ok(len @ 1..) = read else { break };
        let mut at = 0;
        while at < len {
            // Number (8 bytes), position (8), length (2), type (1), name.
            let entry = &entries[at..len];
            let name = entry[19..].split(|byte| *byte == 0).next().unwrap_or_default();
            if let Some(thread) = number(name) {
                count += 1;
                all_sleep = all_sleep && (thread == own || sleeps(name));
            }
            at += usize::from(u16::from_le_bytes([entry[16], entry[17]])).max(1);
        }
    }
    sys::close(folder);
    match (count, all_sleep) {
        (0, _) | (_, false) => Others::Busy,
        (1, true) => Others::None,
        (_, true) => Others::Idle,
    }
}

fn number(name: &[u8]) -> Option<i32> {
    str::from_utf8(name).ok()?.parse().ok()
}

/// True if a thread of this process sleeps until it is woken. A thread that has ended meanwhile does no harm.
fn sleeps(thread: &[u8]) -> bool {
    const BEFORE: &[u8] = b"/proc/self/task/";
    const AFTER: &[u8] = b"/stat\0";
    let mut path = [0; 48];
    let len = BEFORE.len() + thread.len() + AFTER.len();
    if len > path.len() {
        return false;
    }
    path[..BEFORE.len()].copy_from_slice(BEFORE);
    path[BEFORE.len()..len - AFTER.len()].copy_from_slice(thread);
    path[len - AFTER.len()..len].copy_from_slice(AFTER);
    let Ok(file) = sys::open(&path[..len], 0) else { return true };
    let mut text = [0; 256];
    let read = sys::read(file, &mut text);
    sys::close(file);
    let text = &text[..read.unwrap_or(0)];
    // `123 (name) S …`; the name may contain any character.
    let state = text.iter().rposition(|byte| *byte == b')').and_then(|end| text.get(end + 2));
    matches!(state, Some(b'S' | b'Z' | b'X') | None)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn the_earliest_deadline_is_first() {
        let late = Deadline::announce(200);
        let early = Deadline::announce(100);
        assert!(early.is_first(100) && !late.is_first(200));
        drop(early);
        assert!(late.is_first(200));
    }

    #[test]
    fn a_thread_that_computes_is_busy() {
        let (stop, stopped) = mpsc::channel::<()>();
        let computing = std::thread::spawn(move || while stopped.try_recv() == Err(mpsc::TryRecvError::Empty) {});
        assert_eq!(others(), Others::Busy);
        drop(stop);
        computing.join().unwrap();
    }
}
