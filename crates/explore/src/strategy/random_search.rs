//! Random open branches.

use super::frontier::Frontier;
use super::random::Random;
use super::{Added, Strategy};
use crate::coverage::Coverage;
use crate::map::ProgramMap;
use crate::tree::{OpenBranch, Renumbered, Tree};

/// All open decisions are equally likely (LCT §4.3).
#[derive(Clone, Debug)]
pub struct RandomSearch {
    random: Random,
    frontier: Frontier,
}

impl RandomSearch {
    pub fn new(seed: u64, by_calls: bool) -> RandomSearch {
        RandomSearch { random: Random::new(seed), frontier: Frontier::new(by_calls) }
    }
}

impl Strategy for RandomSearch {
    fn name(&self) -> &'static str {
        "random"
    }

    fn next(&mut self, tree: &Tree, _: &ProgramMap, _: &Coverage) -> Option<OpenBranch> {
        self.frontier.draw(&mut self.random, tree)
    }

    fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        self.frontier.renumbered(renumbered);
    }

    fn inserted(&mut self, added: &Added<'_>) {
        self.frontier.add(added.inserted, added.tree);
    }
}
