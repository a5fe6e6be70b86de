//! Limits of an exploration that hold whatever its workers are doing.
//!
//! Workers check the clock between jobs, and solving and running check it themselves. Other parts of a job do not
//! (importing a path of a million decisions, slicing a large query). The watchdog covers them: when time is up or the
//! user interrupts, workers have a moment to end by themselves, and are then abandoned. Their jobs count as not begun.
//!
//! ```text
//!   memory held    within --memory         workers go on
//!                          more                    each worker frees data that can be rebuilt: traces, terms, solvers
//!                          still more              the tree drops open branch sides, the least promising first
//!                          half as much again      the exploration ends, bounded by --memory
//! ```
//!
//! A limit below [`LEAST`] bounds only the tree: the rest of such a small amount is needed by the engine itself and
//! cannot be freed.

use std::time::{Duration, Instant};

/// Interval at which the limits are checked.
pub(super) const LOOK: Duration = Duration::from_millis(20);
/// Time that workers have to free memory before the next step is taken. It doubles after each insufficient step,
/// because nothing more may be left to free.
const SETTLE: Duration = Duration::from_millis(200);
const MAX_DOUBLINGS: u32 = 6;
/// Memory that buffers, stacks and the allocator take in every exploration.
const LEAST: u64 = 16 << 20;
/// Excess over the limit that ends the exploration, in addition to half of the limit.
const SLACK: u64 = 64 << 20;

/// Limits of an exploration as a whole.
#[expect(missing_debug_implementations, reason = "it holds a function")]
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    pub max_time: Option<Duration>,
    /// Time limit for workers to end.
    pub grace: Duration,
    pub memory: Option<Memory<'a>>,
}

/// Memory limit of the engine.
#[expect(missing_debug_implementations, reason = "it holds a function")]
#[derive(Clone, Copy)]
pub struct Memory<'a> {
    pub bytes: u64,
    /// Bytes held now.
    pub held: &'a (dyn Fn() -> u64 + Sync),
}

impl Limits<'_> {
    /// Waits for workers without limit.
    pub const NONE: Limits<'static> = Limits { max_time: None, grace: Duration::MAX, memory: None };
}

/// The next action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    Nothing,
    /// Workers free data that can be rebuilt.
    Shed,
    /// In addition, the tree becomes smaller.
    Tighten,
    /// No more jobs: the limit is exceeded, and no measure helped.
    Stop,
    /// The exploration ends without waiting for workers.
    Leave,
}

pub(super) struct Watchdog<'a> {
    limits: Limits<'a>,
    /// Instant from which on the exploration should have ended.
    over: Option<Instant>,
    /// Time of the last attempt to free memory, and number of insufficient attempts.
    shed: Option<(Instant, u32)>,
}

impl<'a> Watchdog<'a> {
    pub(super) fn new(limits: Limits<'a>) -> Watchdog<'a> {
        Watchdog { limits, over: None, shed: None }
    }

    pub(super) fn look(&mut self, now: Instant, is_over: bool) -> Measure {
        if is_over || self.over.is_some() {
            let since = *self.over.get_or_insert(now);
            return if now.duration_since(since) >= self.limits.grace { Measure::Leave } else { Measure::Nothing };
        }
        let Some(Memory { bytes, held }) = self.limits.memory else { return Measure::Nothing };
        let (bytes, held) = (bytes.max(LEAST), held());
        if held <= bytes {
            self.shed = None;
            return Measure::Nothing;
        }
        if held > bytes.saturating_add(bytes / 2).saturating_add(SLACK) {
            self.over = Some(now);
            return Measure::Stop;
        }
        match self.shed {
            Some((last, n)) if now.duration_since(last) < SETTLE * (1 << n.min(MAX_DOUBLINGS)) => Measure::Nothing,
            Some((_, n)) => {
                self.shed = Some((now, n + 1));
                Measure::Tighten
            }
            None => {
                self.shed = Some((now, 0));
                Measure::Shed
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    const MB: u64 = 1 << 20;

    #[test]
    fn memory_is_freed_step_by_step() {
        let held = AtomicU64::new(0);
        let read = || held.load(Ordering::Relaxed);
        let memory = Some(Memory { bytes: 100 * MB, held: &read });
        let mut watchdog = Watchdog::new(Limits { memory, ..Limits::NONE });
        let start = Instant::now();
        let mut look = |ms: u64, mb: u64| {
            held.store(mb * MB, Ordering::Relaxed);
            watchdog.look(start + Duration::from_millis(ms), false)
        };
        assert_eq!(look(0, 100), Measure::Nothing);
        assert_eq!(look(20, 101), Measure::Shed);
        assert_eq!(look(40, 150), Measure::Nothing, "they have a moment");
        assert_eq!(look(240, 110), Measure::Tighten);
        assert_eq!([look(440, 110), look(640, 110)], [Measure::Nothing, Measure::Tighten], "less and less often");
        assert_eq!(look(660, 90), Measure::Nothing);
        assert_eq!(look(680, 120), Measure::Shed, "that helped for a while");
        assert_eq!(look(700, 214), Measure::Nothing);
        assert_eq!(look(720, 215), Measure::Stop);
        assert_eq!(look(740, 50), Measure::Nothing);
    }

    #[test]
    fn nobody_is_waited_for_for_ever() {
        let grace = Duration::from_millis(300);
        let mut watchdog = Watchdog::new(Limits { grace, ..Limits::NONE });
        let start = Instant::now();
        let mut look = |ms: u64, is_over| watchdog.look(start + Duration::from_millis(ms), is_over);
        assert_eq!([look(0, false), look(5000, false)], [Measure::Nothing; 2]);
        assert_eq!([look(5020, true), look(5300, true)], [Measure::Nothing; 2]);
        assert_eq!(look(5320, true), Measure::Leave);
    }
}
