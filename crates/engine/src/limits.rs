//! Limits of an exploration in one place: its end (`--max-time`, Ctrl-C), and the memory of the engine (`--memory`).
//! All parts share one clock and one account.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Time that workers have to end when time is up, before they are abandoned. Including the summary and the suite,
/// `--max-time` is exceeded by no more than this.
pub(crate) const GRACE: Duration = Duration::from_millis(300);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) stop: &'static AtomicBool,
    pub(crate) max_time: Option<Duration>,
    /// Limit of the engine's memory in bytes, in addition to the memory it had at the beginning.
    pub(crate) memory: u64,
    start: Instant,
    /// Time of the exploration before it was resumed.
    spent: Duration,
    /// Bytes held at the beginning.
    before: u64,
}

impl Limits {
    /// Starts the clock.
    pub(crate) fn begin(stop: &'static AtomicBool, max_time: Option<Duration>, memory: u64, spent: Duration) -> Limits {
        Limits { stop, max_time, memory, start: Instant::now(), spent, before: resident() }
    }

    /// Time of the exploration so far, including the time before it was resumed.
    pub(crate) fn elapsed(&self) -> Duration {
        self.spent + self.start.elapsed()
    }

    /// The instant at which time is up.
    pub(crate) fn until(&self) -> Option<Instant> {
        self.max_time.map(|time| self.start + time.saturating_sub(self.spent))
    }

    /// Bytes that the engine holds now.
    pub(crate) fn held(&self) -> u64 {
        resident().saturating_sub(self.before)
    }
}

/// Private memory of this process, without files and memory shared with the unit.
fn resident() -> u64 {
    const PAGE: u64 = 4096;
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let mut pages = statm.split(' ').skip(1).map(|pages| pages.parse::<u64>().unwrap_or(0));
    let (resident, shared) = (pages.next().unwrap_or(0), pages.next().unwrap_or(0));
    resident.saturating_sub(shared) * PAGE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_is_seen() {
        static STOP: AtomicBool = AtomicBool::new(false);
        let limits = Limits::begin(&STOP, Some(Duration::from_secs(5)), 0, Duration::from_secs(2));
        let bytes = std::hint::black_box(vec![1u8; 64 << 20]);
        let held = limits.held();
        assert!((60 << 20..200 << 20).contains(&held), "{held} bytes besides {}", bytes.len());
        assert!(limits.elapsed() >= Duration::from_secs(2));
        assert_eq!(limits.until(), Some(limits.start + Duration::from_secs(3)));
    }
}
