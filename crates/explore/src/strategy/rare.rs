//! Decisions after branch sides that few runs took.

use std::collections::BTreeMap;

use tine_trace::event::Site;

use super::frontier::{Frontier, draw_side};
use super::random::Random;
use super::{Added, Choice, Happened, Side, Strategy, View};
use crate::job::CaseId;
use crate::tree::{NodeId, OpenBranch, Renumbered, Tree};

/// Chooses the side that was taken or tried least often, of all sides that runs took, and then any open branch after
/// it. The effect of such a side (an option that is set, a kind of token) must be combined with everything else. Later
/// branches that test it are not decisions, because by then it is a constant.
#[derive(Clone, Debug)]
pub struct Rare {
    random: Random,
    frontier: Frontier,
    sides: BTreeMap<Side, Taken>,
}

#[derive(Clone, Debug, Default)]
struct Taken {
    /// Number of runs that took the side in their new part, plus the number of times that a branch after it was chosen.
    count: u64,
    /// The next decisions of runs that may have open branches from there on.
    nodes: Vec<NodeId>,
    /// The last case that took the side.
    last: Option<CaseId>,
}

/// Maximum number of stored decisions per side.
const MAX_NODES: usize = 256;
/// Number of attempts to draw an open branch after one of them.
const DRAWS: u32 = 8;
/// Maximum number of decisions without open branches below them that one choice looks at. Finding the rarest side takes
/// time for each.
const MAX_MISSES: u32 = 32;

impl Rare {
    /// Creates the strategy.
    pub fn new(seed: u64, by_calls: bool) -> Rare {
        Rare { random: Random::new(seed), frontier: Frontier::new(by_calls), sides: BTreeMap::new() }
    }

    /// Returns an open branch from `node` on, among the nodes that the same run made.
    fn from(&mut self, node: NodeId, tree: &Tree) -> Option<OpenBranch> {
        // Nodes of one run have consecutive numbers.
        let case = tree.node(node).case;
        let is_same = |number: usize| number < tree.n_nodes() && tree.node(NodeId(number as u32)).case == case;
        let first = node.0 as usize;
        let mut step = 1;
        while is_same(first + step) {
            step *= 2;
        }
        let (mut inside, mut outside) = (first + step / 2, first + step);
        while inside + 1 < outside {
            let middle = inside.midpoint(outside);
            *(if is_same(middle) { &mut inside } else { &mut outside }) = middle;
        }
        for _ in 0..DRAWS {
            let drawn = NodeId((first + self.random.below(outside - first)) as u32);
            if self.frontier.waits(drawn, tree) {
                continue;
            }
            if let Some(branch) = draw_side(drawn, &mut self.random, tree) {
                return Some(branch);
            }
        }
        None
    }

    fn of_rarest(&mut self, tree: &Tree) -> Option<OpenBranch> {
        for _ in 0..MAX_MISSES {
            let candidates = self.sides.iter().filter(|(_, taken)| !taken.nodes.is_empty());
            let (&side, _) = candidates.min_by_key(|(_, taken)| taken.count)?;
            let taken = self.sides.get_mut(&side).expect("found above");
            taken.count += 1;
            let place = self.random.below(taken.nodes.len());
            let node = taken.nodes[place];
            if let Some(branch) = self.from(node, tree) {
                return Some(branch);
            }
            if let Some(taken) = self.sides.get_mut(&side) {
                taken.nodes.swap_remove(place);
            }
        }
        None
    }
}

impl Strategy for Rare {
    fn name(&self) -> &'static str {
        "rare"
    }

    fn next(&mut self, view: &View<'_>) -> Option<Choice> {
        let tree = view.tree;
        self.of_rarest(tree).or_else(|| self.frontier.draw(&mut self.random, tree)).map(Choice::from)
    }

    fn happened(&mut self, event: &Happened<'_>) {
        match event {
            Happened::Ran(added) => self.inserted(added),
            Happened::Untaken { .. } => {}
            Happened::Renumbered(renumbered) => self.renumbered(renumbered),
        }
    }
}

impl Rare {
    fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        for taken in self.sides.values_mut() {
            let new = |node: &NodeId| renumbered.branch(OpenBranch { node: *node, side_index: 0 });
            taken.nodes = taken.nodes.iter().filter_map(new).map(|branch| branch.node).collect();
        }
        self.frontier.renumbered(renumbered);
    }

    fn inserted(&mut self, added: &Added<'_>) {
        let tree = added.tree;
        self.frontier.add(added.inserted, tree);
        for node in added.inserted.nodes() {
            let view = tree.node(node);
            // The start of the tree counts as a side, too.
            let side = view.parent.map_or((Site::NONE, 0), |before| (tree.node(before.node).site, before.side_index));
            let taken = self.sides.entry(side).or_default();
            // Counted once per run, also if a loop repeats it.
            if taken.last.replace(view.case) == Some(view.case) {
                continue;
            }
            taken.count += 1;
            if taken.nodes.len() < MAX_NODES {
                taken.nodes.push(node);
            }
        }
    }
}
