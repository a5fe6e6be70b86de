//! States reached by call sequences. A state that is already known need not be explored again.
//!
//! A state covers another state if it is the same except for the values that the path allows, allows all the values of
//! the other, and has as many calls left. Everything reachable from the other state is then reachable from this one,
//! too. Only states whose continuations the tree explores are remembered. Thus no state is considered known because of
//! one that was itself left out.

use std::collections::HashMap;

use crate::job::StateSeen;

#[derive(Clone, Debug, Default)]
pub(crate) struct States {
    known: HashMap<u64, Vec<Known>>,
}

#[derive(Clone, Debug)]
struct Known {
    place: (u32, u64),
    constraints: Box<[u64]>,
    calls_left: u32,
}

impl States {
    /// Returns the first of a run's states that a state at another place of the tree covers. Earlier states are
    /// remembered.
    pub(crate) fn first_known<'a>(&mut self, states: &'a [StateSeen]) -> Option<&'a StateSeen> {
        states.iter().find(|state| self.is_known(state))
    }

    /// True if a state at another place covers this one. Otherwise this one is remembered.
    fn is_known(&mut self, state: &StateSeen) -> bool {
        let place = (state.event, state.before);
        let known = self.known.entry(state.key).or_default();
        if known.iter().any(|other| other.place == place) {
            return false;
        }
        if known.iter().any(|other| other.covers(state)) {
            return true;
        }
        let constraints = state.constraints.clone().into_boxed_slice();
        known.push(Known { place, constraints, calls_left: state.calls_left });
        false
    }
}

impl Known {
    fn covers(&self, state: &StateSeen) -> bool {
        self.calls_left >= state.calls_left
            && self.constraints.iter().all(|constraint| state.constraints.binary_search(constraint).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(event: u32, key: u64, constraints: &[u64], calls_left: u32) -> StateSeen {
        StateSeen { event, before: u64::from(event) * 77, key, constraints: constraints.to_vec(), calls_left }
    }

    /// True for each state that is known. The states are added in order, each from a run of its own.
    fn known(states: &[StateSeen]) -> Vec<bool> {
        let mut all = States::default();
        states.iter().map(|state| all.first_known(std::slice::from_ref(state)).is_some()).collect()
    }

    #[test]
    fn a_state_is_known_by_another_place() {
        assert_eq!(known(&[state(1, 5, &[], 3), state(2, 5, &[], 3), state(3, 6, &[], 3)]), [false, true, false]);
        // The same place again, reached by another run.
        assert_eq!(known(&[state(1, 5, &[], 3), state(1, 5, &[], 3)]), [false, false]);
    }

    #[test]
    fn more_calls_left_is_more_to_explore() {
        assert_eq!(known(&[state(1, 5, &[], 2), state(2, 5, &[], 3), state(3, 5, &[], 2)]), [false, false, true]);
    }

    #[test]
    fn more_constraints_are_fewer_values() {
        let states = [state(1, 5, &[7, 9], 3), state(2, 5, &[7], 3), state(3, 5, &[7, 8], 3), state(4, 5, &[], 3)];
        assert_eq!(known(&states), [false, false, true, false]);
    }

    #[test]
    fn what_follows_a_known_state_is_not_remembered() {
        let mut all = States::default();
        assert_eq!(all.first_known(&[state(1, 5, &[], 3)]), None);
        let run = [state(2, 4, &[], 3), state(3, 5, &[], 2), state(4, 6, &[], 1)];
        assert_eq!(all.first_known(&run), Some(&run[1]));
        assert_eq!(all.first_known(&[state(9, 6, &[], 1)]), None, "the states after it were not explored");
        assert_eq!(all.first_known(&[state(10, 4, &[], 3)]).map(|state| state.event), Some(10));
    }
}
