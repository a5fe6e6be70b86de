//! Random inputs without a search.

use super::{Added, Strategy};
use tine_trace::fill::RESTART;

use crate::coverage::Coverage;
use crate::map::ProgramMap;
use crate::tree::{OpenBranch, Renumbered, Tree};

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
    pub const PATIENCE: u64 = 10_000;

    pub fn new(seed: u64, patience: u64) -> RandomInput {
        RandomInput { seed, n_inputs: 0, in_vain: 0, patience: patience.max(1) }
    }
}

impl Strategy for RandomInput {
    fn name(&self) -> &'static str {
        "random-input"
    }

    fn next(&mut self, _: &Tree, _: &ProgramMap, _: &Coverage) -> Option<OpenBranch> {
        None
    }

    fn fresh(&mut self) -> Option<u64> {
        if self.in_vain >= self.patience {
            return None;
        }
        self.n_inputs += 1;
        // Never 0, because seed 0 stands for an input of zeros.
        Some(super::random::Random::new(self.seed ^ self.n_inputs << 32).number() & !RESTART | 1)
    }

    fn renumbered(&mut self, _: &Renumbered<'_>) {}

    fn inserted(&mut self, added: &Added<'_>) {
        self.in_vain = if added.inserted.new { 0 } else { self.in_vain + 1 };
    }
}
