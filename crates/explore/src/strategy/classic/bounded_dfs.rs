//! CREST's bounded depth-first search.

use std::collections::VecDeque;

use super::super::frontier::Later;
use super::super::{Added, Choice, Happened, Strategy, View};
use crate::tree::{NodeId, Renumbered};

/// Forces at most `bound` branches from the top of a path down, and fewer on the resulting paths. With the bound d
/// these are at most 2^d - 1 (CREST §2.4). Branches that cannot be forced do not count.
///
/// When all of them have been tried, the branches that the bound left out are searched in the same way with twice the
/// bound, so nothing is lost.
#[derive(Clone, Debug)]
pub struct BoundedDfs {
    bound: u32,
    /// Paths on which branches are being forced. The last one is on top.
    paths: Vec<Path>,
    /// Decisions that the bound left out.
    beyond: VecDeque<Vec<NodeId>>,
    later: Later,
}

/// The new part of a path.
#[derive(Clone, Debug)]
struct Path {
    nodes: Vec<NodeId>,
    /// Position of the search on the path.
    at: usize,
    side_index: u16,
    /// Number of branches that may still be forced.
    left: u32,
}

impl BoundedDfs {
    /// Default of `bound`.
    pub const BOUND: u32 = 16;

    /// Forces at most `bound` branches of a path at first.
    pub fn new(bound: u32, by_calls: bool) -> BoundedDfs {
        BoundedDfs { bound: bound.max(1), paths: Vec::new(), beyond: VecDeque::new(), later: Later::new(by_calls) }
    }
}

impl Strategy for BoundedDfs {
    fn name(&self) -> &'static str {
        "bounded-dfs"
    }

    fn next(&mut self, view: &View<'_>) -> Option<Choice> {
        let tree = view.tree;
        loop {
            while let Some(path) = self.paths.last_mut() {
                if path.left == 0 {
                    let rest = path.nodes.split_off(path.at);
                    self.paths.pop();
                    if !rest.is_empty() {
                        self.beyond.push_back(rest);
                    }
                    continue;
                }
                let Some(node) = path.nodes.get(path.at) else {
                    self.paths.pop();
                    continue;
                };
                if let Some(branch) = tree.next_open(*node, path.side_index) {
                    path.side_index = branch.side_index + 1;
                    return Some(branch.into());
                }
                path.at += 1;
                path.side_index = 0;
            }
            if self.beyond.is_empty() {
                return self.later.next(tree).map(Choice::from);
            }
            self.bound = self.bound.saturating_mul(2);
            let left = self.bound;
            self.paths.extend(self.beyond.drain(..).rev().map(|nodes| Path { nodes, at: 0, side_index: 0, left }));
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

impl BoundedDfs {
    fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        for path in &mut self.paths {
            // The part before the position of the search is finished.
            let first = path.nodes.get(path.at).copied();
            path.nodes.drain(..path.at);
            path.at = 0;
            renumbered.retain(&mut path.nodes);
            if first.and_then(|first| renumbered.open(first)) != path.nodes.first().copied() {
                path.side_index = 0;
            }
        }
        for nodes in &mut self.beyond {
            renumbered.retain(nodes);
        }
        self.beyond.retain(|nodes| !nodes.is_empty());
        self.later.renumbered(renumbered);
    }

    fn inserted(&mut self, added: &Added<'_>) {
        let nodes = self.later.sift(added.inserted, added.tree);
        let left = match self.paths.last_mut() {
            Some(path) => {
                path.left = path.left.saturating_sub(1);
                path.left
            }
            None => self.bound,
        };
        self.paths.push(Path { nodes, at: 0, side_index: 0, left });
    }
}
