//! Uncovered branch sides, one after the other.

use std::collections::BTreeMap;

use super::frontier::Frontier;
use super::random::Random;
use super::{Added, Choice, Happened, Side, Strategy, View};
use crate::coverage::Coverage;
use crate::map::ProgramMap;
use crate::tree::{NodeId, OpenBranch, Renumbered, State, Tree};

/// Chooses, among the uncovered sides of reached branches, the side that was chosen least often, at any place where it
/// is open. Each feasible query covers something new. A side that was infeasible wherever it was tried waits until the
/// others were tried as often.
#[derive(Clone, Debug)]
pub struct Uncovered {
    random: Random,
    frontier: Frontier,
    sides: BTreeMap<Side, Wanted>,
}

#[derive(Clone, Debug, Default)]
struct Wanted {
    n_asked: u32,
    /// Decisions at which the side may be open.
    nodes: Vec<NodeId>,
}

/// Maximum number of stored decisions per side.
const MAX_NODES: usize = 256;
/// Maximum number of decisions without open sides that one choice looks at. Finding the least tried side takes time for
/// each.
const MAX_MISSES: u32 = 32;

impl Uncovered {
    /// Creates the strategy.
    pub fn new(seed: u64, by_calls: bool) -> Uncovered {
        Uncovered { random: Random::new(seed), frontier: Frontier::new(by_calls), sides: BTreeMap::new() }
    }

    fn least_asked(&mut self, tree: &Tree, map: &ProgramMap, coverage: &Coverage) -> Option<OpenBranch> {
        for _ in 0..MAX_MISSES {
            let candidates = self.sides.iter().filter(|(_, wanted)| !wanted.nodes.is_empty());
            let (&side, _) = candidates.min_by_key(|(_, wanted)| wanted.n_asked)?;
            if map.side(side).is_none_or(|side| coverage.is_covered(side)) {
                self.sides.remove(&side);
                continue;
            }
            let wanted = self.sides.get_mut(&side).expect("found above");
            let place = self.random.below(wanted.nodes.len());
            let branch = OpenBranch { node: wanted.nodes.swap_remove(place), side_index: side.1 };
            if tree.state(branch) == State::Open {
                wanted.n_asked += 1;
                return Some(branch);
            }
        }
        None
    }
}

impl Strategy for Uncovered {
    fn name(&self) -> &'static str {
        "uncovered"
    }

    fn next(&mut self, view: &View<'_>) -> Option<Choice> {
        let View { tree, map, coverage, .. } = *view;
        self.least_asked(tree, map, coverage).or_else(|| self.frontier.draw(&mut self.random, tree)).map(Choice::from)
    }

    fn happened(&mut self, event: &Happened<'_>) {
        match event {
            Happened::Ran(added) => self.inserted(added),
            Happened::Untaken { .. } => {}
            Happened::Renumbered(renumbered) => self.renumbered(renumbered),
        }
    }
}

impl Uncovered {
    fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        for wanted in self.sides.values_mut() {
            wanted.nodes = wanted.nodes.iter().filter_map(|node| renumbered.open(*node)).collect();
        }
        self.frontier.renumbered(renumbered);
    }

    fn inserted(&mut self, added: &Added<'_>) {
        let tree = added.tree;
        self.frontier.add(added.inserted, tree);
        for node in added.inserted.nodes().filter(|node| tree.n_open_of(*node) > 0) {
            if self.frontier.waits(node, tree) {
                continue;
            }
            let view = tree.node(node);
            let Some(branch) = added.map.site(view.site).and_then(|site| site.branch) else { continue };
            let sides = (0..view.n_sides).zip(added.map.branch(branch).sides());
            for (side_index, _) in sides.filter(|(_, side)| !added.coverage.is_covered(*side)) {
                let wanted = self.sides.entry((view.site, side_index)).or_default();
                if wanted.nodes.len() < MAX_NODES {
                    wanted.nodes.push(node);
                } else {
                    // Prefer later runs, because they went further.
                    let place = self.random.below(MAX_NODES);
                    wanted.nodes[place] = node;
                }
            }
        }
    }
}
