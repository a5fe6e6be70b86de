//! Bullseye's search by weights.

use std::collections::BTreeMap;

use tine_trace::event::Site;

use super::super::frontier::Frontier;
use super::super::random::Random;
use super::super::{Added, Choice, Happened, Strategy, View};
use super::weights::Weights;
use crate::tree::{NodeId, OpenBranch, Renumbered};

/// Draws the side of each branch of the last path by its weight, from the deepest one up. Flips the first branch whose
/// drawn side is open (Bullseye §3.2.4). If there is none, any open branch is flipped.
#[derive(Clone, Debug)]
pub struct Probabilistic {
    random: Random,
    frontier: Frontier,
    weights: Weights,
    /// Weights by site, computed when the program is known.
    by_site: Option<BTreeMap<Site, f64>>,
    path: Vec<NodeId>,
}

/// Weight of a branch that the file does not name.
const EVEN: f64 = 0.5;

impl Probabilistic {
    /// Creates the strategy.
    pub fn new(seed: u64, weights: Weights, by_calls: bool) -> Probabilistic {
        Probabilistic {
            random: Random::new(seed),
            frontier: Frontier::new(by_calls),
            weights,
            by_site: None,
            path: Vec::new(),
        }
    }
}

impl Strategy for Probabilistic {
    fn name(&self) -> &'static str {
        "probabilistic"
    }

    fn next(&mut self, view: &View<'_>) -> Option<Choice> {
        let View { tree, map, .. } = *view;
        let weights = self.by_site.get_or_insert_with(|| self.weights.of(map));
        self.path.retain(|node| tree.next_open(*node, 0).is_some());
        for &node in self.path.iter().rev() {
            let view = tree.node(node);
            let weight = weights.get(&view.site).copied().unwrap_or(EVEN);
            let side = if self.random.unit() >= weight {
                0
            } else {
                1 + self.random.below(usize::from(view.n_sides).max(2) - 1) as u16
            };
            let drawn = OpenBranch { node, side_index: side };
            if side < view.n_sides && tree.is_open(drawn) {
                return Some(drawn.into());
            }
        }
        self.frontier.draw(&mut self.random, tree).map(Choice::from)
    }

    fn happened(&mut self, event: &Happened<'_>) {
        match event {
            Happened::Ran(added) => self.inserted(added),
            Happened::Untaken { .. } => {}
            Happened::Renumbered(renumbered) => self.renumbered(renumbered),
        }
    }
}

impl Probabilistic {
    fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        renumbered.retain(&mut self.path);
        self.frontier.renumbered(renumbered);
    }

    fn inserted(&mut self, added: &Added<'_>) {
        self.frontier.add(added.inserted, added.tree);
        let open = |node: &&NodeId| added.tree.n_open_of(**node) > 0 && !self.frontier.waits(**node, added.tree);
        self.path = added.tree.last_path().iter().filter(open).copied().collect();
    }
}
