//! Generational search.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::frontier::Later;
use super::{Added, Choice, Happened, Strategy, View};
use crate::tree::{NodeId, Renumbered};

/// Flips every branch of a run before the next run. The next one is the resulting run with the most new coverage, and
/// the earliest among equals.
#[derive(Clone, Debug, Default)]
pub struct Generational {
    /// Waiting runs: the number of sides that they were the first to cover, their number, and their new decisions.
    runs: BinaryHeap<(usize, Reverse<u64>, Vec<NodeId>)>,
    n_runs: u64,
    /// Decisions of the current run, the next one last.
    current: Vec<NodeId>,
    later: Later,
}

impl Generational {
    /// Creates the strategy.
    pub fn new(by_calls: bool) -> Generational {
        Generational { later: Later::new(by_calls), ..Generational::default() }
    }
}

impl Strategy for Generational {
    fn name(&self) -> &'static str {
        "generational"
    }

    fn next(&mut self, view: &View<'_>) -> Option<Choice> {
        let tree = view.tree;
        loop {
            while let Some(node) = self.current.last() {
                if let Some(branch) = tree.next_open(*node, 0) {
                    return Some(branch.into());
                }
                self.current.pop();
            }
            match self.runs.pop() {
                Some((_, _, nodes)) => self.current = nodes,
                None => return self.later.next(tree).map(Choice::from),
            }
        }
    }

    fn happened(&mut self, event: &Happened<'_>) {
        match event {
            Happened::Ran(added) => self.inserted(added),
            Happened::Untaken { .. } => {}
            Happened::Renumbered(renumbered) => self.renumbered(renumbered),
        }
    }
}

impl Generational {
    fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        renumbered.retain(&mut self.current);
        let runs = std::mem::take(&mut self.runs).into_iter().filter_map(|(gain, number, mut nodes)| {
            renumbered.retain(&mut nodes);
            (!nodes.is_empty()).then_some((gain, number, nodes))
        });
        self.runs = runs.collect();
        self.later.renumbered(renumbered);
    }

    fn inserted(&mut self, added: &Added<'_>) {
        let mut nodes = self.later.sift(added.inserted, added.tree);
        if !nodes.is_empty() {
            nodes.reverse();
            self.n_runs += 1;
            self.runs.push((added.covered.len(), Reverse(self.n_runs), nodes));
        }
    }
}
