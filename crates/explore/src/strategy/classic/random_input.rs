//! Random inputs without a search.

use tine_trace::fill::RESTART;

use super::super::random::Random;
use super::super::{Action, Choice, Happened, Strategy, View};

/// Random inputs, without solving: the baseline for every search. Ends when many consecutive inputs showed no new path.
/// Other branches stay open, so the verdict is not *complete*.
#[derive(Clone, Debug)]
pub struct RandomInput {
    seed: u64,
    n_inputs: u64,
    in_vain: u64,
    patience: u64,
}

impl RandomInput {
    /// Default of `patience`.
    pub const PATIENCE: u64 = 10_000;

    /// Ends after `patience` inputs without a new path.
    pub fn new(seed: u64, patience: u64) -> RandomInput {
        RandomInput { seed, n_inputs: 0, in_vain: 0, patience: patience.max(1) }
    }
}

impl Strategy for RandomInput {
    fn name(&self) -> &'static str {
        "random-input"
    }

    fn next(&mut self, _: &View<'_>) -> Option<Choice> {
        if self.in_vain >= self.patience {
            return None;
        }
        self.n_inputs += 1;
        // Never 0, because seed 0 stands for an input of zeros.
        let seed = Random::new(self.seed ^ self.n_inputs << 32).number() & !RESTART | 1;
        Some(Action::Fresh(seed).into())
    }

    fn happened(&mut self, event: &Happened<'_>) {
        if let Happened::Ran(added) = event {
            self.in_vain = if added.inserted.new { 0 } else { self.in_vain + 1 };
        }
    }
}
