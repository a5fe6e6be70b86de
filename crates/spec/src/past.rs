//! Past-time formulas as automata, by the usual recurrences: the value of a temporal operator follows from its value at
//! the previous event and the current values of its parts.

use crate::monitor::Rules;
use crate::syntax::Formula;

/// A past-time formula that must hold at every event.
#[derive(Debug)]
pub(crate) struct Past<'a> {
    formula: &'a Formula,
}

impl Past<'_> {
    pub(crate) fn new(formula: &Formula) -> Past<'_> {
        Past { formula }
    }
}

/// Values of the temporal operators at the last event, in the order of a walk over the formula; `None` before the first
/// event.
pub(crate) type State = Option<Vec<bool>>;

impl Rules for Past<'_> {
    type State = State;

    fn start(&self) -> State {
        None
    }

    fn next(&self, state: &State, letter: u128) -> Option<State> {
        let mut step = Step { before: state.as_deref(), now: Vec::new(), letter };
        step.value(self.formula).then_some(Some(step.now))
    }

    fn may_end(&self, _: &State) -> bool {
        true
    }
}

struct Step<'a> {
    before: Option<&'a [bool]>,
    now: Vec<bool>,
    letter: u128,
}

impl Step<'_> {
    fn value(&mut self, formula: &Formula) -> bool {
        match formula {
            Formula::True => true,
            Formula::Event(proposition) => self.letter >> proposition & 1 == 1,
            Formula::Not(inner) => !self.value(inner),
            // Both sides are evaluated, so that every operator keeps its position.
            Formula::And(left, right) => self.value(left) & self.value(right),
            Formula::Or(left, right) => self.value(left) | self.value(right),
            Formula::Previously(inner) => {
                let value = self.value(inner);
                let before = self.keep(|_| value);
                before.unwrap_or(false)
            }
            Formula::Once(inner) => {
                let value = self.value(inner);
                self.keep(|before| value || before.unwrap_or(false));
                self.last()
            }
            Formula::Historically(inner) => {
                let value = self.value(inner);
                self.keep(|before| value && before.unwrap_or(true));
                self.last()
            }
            Formula::Since(left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                self.keep(|before| right || left && before.unwrap_or(false));
                self.last()
            }
            Formula::Next(_) | Formula::Eventually(_) | Formula::Always(_) | Formula::Until(..) => {
                unreachable!("the parser keeps future operators out of past-time formulas: {formula:?}")
            }
        }
    }

    /// Stores the value of the next operator, computed from the one at the event before, and returns the latter.
    fn keep(&mut self, value: impl Fn(Option<bool>) -> bool) -> Option<bool> {
        let before = self.before.map(|values| values[self.now.len()]);
        self.now.push(value(before));
        before
    }

    fn last(&self) -> bool {
        self.now.last().copied().unwrap_or_default()
    }
}
