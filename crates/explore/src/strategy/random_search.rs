//! Random open branches.

use super::frontier::Frontier;
use super::random::Random;
use super::{Choice, Happened, Strategy, View};

/// All open decisions are equally likely (LCT §4.3).
#[derive(Clone, Debug)]
pub struct RandomSearch {
    random: Random,
    frontier: Frontier,
}

impl RandomSearch {
    /// Creates the strategy.
    pub fn new(seed: u64, by_calls: bool) -> RandomSearch {
        RandomSearch { random: Random::new(seed), frontier: Frontier::new(by_calls) }
    }
}

impl Strategy for RandomSearch {
    fn name(&self) -> &'static str {
        "random"
    }

    fn next(&mut self, view: &View<'_>) -> Option<Choice> {
        let tree = view.tree;
        self.frontier.draw(&mut self.random, tree).map(Choice::from)
    }

    fn happened(&mut self, event: &Happened<'_>) {
        match event {
            Happened::Ran(added) => self.frontier.add(added.inserted, added.tree),
            Happened::Untaken { .. } => {}
            Happened::Renumbered(renumbered) => self.frontier.renumbered(renumbered),
        }
    }
}
