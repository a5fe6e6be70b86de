//! Turns of loops. If the values that determine the exits repeat, the loop is infinite.
//!
//! Brent's algorithm: a state is kept at turns 0, 1, 2, 4, 8 … of a window, and the following states are compared with
//! it. A loop has only one activation at a time in one thread if it calls nothing that is not analysed, and every
//! activation reaches turn 0 first. So a state that was kept for the loop in the same window belongs to this activation.
//! Nested loops have different numbers. For loops that write memory or call functions, memory is observed from the
//! time when a state is kept ([`observed`]). Code that is not analysed ends the observation. Observing is slow, so most
//! activations of a loop that is started again and again are observed only from their second window on.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use tine_trace::entry::{LOOP_OBSERVES, LOOP_PERIOD, LOOP_STATE, LOOP_WINDOW};

use super::observed;

/// Number of loops that are compared at the same time: those of one nest. A further loop replaces the first.
const N_LOOPS: usize = 16;

struct Kept {
    number: AtomicU64,
    turn: AtomicU64,
    state: [AtomicU64; LOOP_STATE],
}

static KEPT: [Kept; N_LOOPS] = [const {
    Kept { number: AtomicU64::new(0), turn: AtomicU64::new(0), state: [const { AtomicU64::new(0) }; LOOP_STATE] }
}; N_LOOPS];

/// Number of activations that reached their first window, of loops with the same remainder.
static N_ACTIVATIONS: [AtomicU32; 64] = [const { AtomicU32::new(0) }; 64];

/// True if the first window of an activation is left out.
fn is_left_out(number: u64, turn: u64) -> bool {
    const ALWAYS: u32 = 4;
    if turn >= LOOP_PERIOD {
        return false;
    }
    let counter = &N_ACTIVATIONS[(number >> 1) as usize % N_ACTIVATIONS.len()];
    let before = counter.fetch_add(1, Ordering::Relaxed);
    before >= ALWAYS && !before.is_power_of_two()
}

/// True if the loop with this number had the same state before, in the same activation.
pub(super) fn returns(number: u64, turn: u64, state: [u64; LOOP_STATE]) -> bool {
    let kept = &KEPT[(number >> 1) as usize % N_LOOPS];
    let in_window = turn % LOOP_PERIOD;
    let observes = number & LOOP_OBSERVES != 0;
    let is_kept = kept.number.load(Ordering::Relaxed) == number;
    if observes && in_window == 0 && is_left_out(number, turn) {
        if is_kept {
            kept.number.store(0, Ordering::Relaxed);
        }
        return false;
    }
    if observes && in_window != 0 && !is_kept {
        return false;
    }
    if in_window == 0 || in_window.is_power_of_two() {
        kept.number.store(number, Ordering::Relaxed);
        kept.turn.store(turn, Ordering::Relaxed);
        kept.state.iter().zip(state).for_each(|(kept, value)| kept.store(value, Ordering::Relaxed));
        if observes {
            observed::start(number);
        }
        return false;
    }
    let before = kept.turn.load(Ordering::Relaxed);
    let is_same = is_kept
        && before < turn
        && turn - before <= in_window
        && kept.state.iter().zip(state).all(|(kept, value)| kept.load(Ordering::Relaxed) == value)
        && (!observes || observed::is_unchanged(number));
    // The last turn of the window, which is shorter for these loops (`instrument/src/loops`).
    if observes && (turn + 1) & (LOOP_WINDOW | LOOP_WINDOW >> 2) != 0 {
        observed::stop();
    }
    is_same
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The turn at which a sequence of states is recognised as repeating.
    fn known_at(number: u64, state: impl Fn(u64) -> u64) -> Option<u64> {
        (0..4096).find(|&turn| returns(number, turn, [state(turn), 7, 0, 0, 0, 0]))
    }

    #[test]
    fn cycles_are_found_and_counters_are_not() {
        assert_eq!(known_at(2, |turn| turn), None);
        assert_eq!(known_at(4, |_| 5), Some(3));
        assert_eq!(known_at(6, |turn| turn % 3), Some(7));
        // A prefix before the cycle.
        assert_eq!(known_at(8, |turn| if turn < 40 { turn } else { 40 + turn % 5 }), Some(69));
        assert_eq!(known_at(10, |turn| turn % 2048), None);
    }

    #[test]
    fn the_same_turn_twice_is_not_a_return() {
        for turn in [0, 1, 2, 3, 3, 3] {
            assert!(!returns(14, turn, [turn, 0, 0, 0, 0, 0]));
        }
    }

    #[test]
    fn most_activations_start_with_the_second_window() {
        const OBSERVES: u64 = 101;
        let is_known = |turn: u64| (turn..turn + 100).any(|turn| returns(OBSERVES, turn, [5; LOOP_STATE]));
        let known: Vec<usize> = (0..20).filter(|_| is_known(0)).collect();
        assert_eq!(known, [0, 1, 2, 3, 4, 8, 16]);
        assert!(is_known(LOOP_PERIOD));
    }

    #[test]
    fn other_loops_and_windows_do_not_count() {
        assert!(!returns(34, 1024, [1, 0, 0, 0, 0, 0]));
        assert!(!returns(66, 1025, [1, 0, 0, 0, 0, 0]), "another loop in the same place");
        assert!(!returns(34, LOOP_PERIOD + 3, [1, 0, 0, 0, 0, 0]), "another window");
        assert!(returns(34, 1025, [1, 0, 0, 0, 0, 0]));
    }
}
