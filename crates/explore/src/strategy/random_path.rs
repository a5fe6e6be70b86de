//! CREST's uniform random search.

use super::frontier::Frontier;
use super::random::Random;
use super::{Added, Strategy};
use crate::coverage::Coverage;
use crate::map::ProgramMap;
use crate::tree::{NodeId, OpenBranch, Renumbered, State, Tree};

/// Paths on which each branch went either way with the same probability, so that a path with k branches comes with 2^-k
/// (CREST §3.1, which flips the branches of a run; here the tree is walked, and what it knows needs no run).
///
/// A walk goes from the start to the end of a path. Where it comes to an open alternative, that is run, and it goes on
/// behind it. Paths that are known are drawn again and again, so after some walks in vain any open branch is taken.
#[derive(Clone, Debug)]
pub struct RandomPath {
    random: Random,
    frontier: Frontier,
    /// What was asked for last in a walk: that goes on behind it.
    asked: Option<OpenBranch>,
}

/// Walks along known paths only, one after the other, before something else is done.
const WALKS: u32 = 16;

/// How a walk goes on.
enum Walked {
    To(OpenBranch),
    /// To the end of a path that is known.
    Ended,
}

impl RandomPath {
    pub fn new(seed: u64, by_calls: bool) -> RandomPath {
        RandomPath { random: Random::new(seed), frontier: Frontier::new(by_calls), asked: None }
    }

    /// Walks from `node` down. `taken` is told each alternative.
    fn walk(&mut self, mut node: NodeId, tree: &Tree, mut taken: impl FnMut(u16)) -> Walked {
        loop {
            let waits = self.frontier.waits(node, tree);
            let possible = |alternative: &u16| match tree.state(OpenBranch { node, alternative: *alternative }) {
                State::Open => !waits,
                State::Taken(_) | State::Ended | State::Cut => true,
                _ => false,
            };
            let n = (0..tree.node(node).n_alternatives).filter(possible).count();
            if n == 0 {
                return Walked::Ended;
            }
            let drawn = self.random.below(n);
            let alternative = (0..tree.node(node).n_alternatives).filter(possible).nth(drawn).expect("one of n");
            taken(alternative);
            let branch = OpenBranch { node, alternative };
            match tree.state(branch) {
                State::Open => return Walked::To(branch),
                State::Taken(child) => node = child,
                _ => return Walked::Ended,
            }
        }
    }
}

impl Strategy for RandomPath {
    fn name(&self) -> &'static str {
        "random-path"
    }

    fn next(&mut self, tree: &Tree, _: &ProgramMap, _: &Coverage) -> Option<OpenBranch> {
        let behind = self.asked.take().and_then(|branch| match tree.state(branch) {
            State::Taken(child) => Some(child),
            // It could not be forced: the path stays as it was here.
            State::Infeasible | State::Unknown => Some(branch.node),
            _ => None,
        });
        for start in behind.into_iter().chain((0..WALKS).filter_map(|_| tree.root())) {
            if let Walked::To(branch) = self.walk(start, tree, |_| ()) {
                self.asked = Some(branch);
                return Some(branch);
            }
        }
        self.frontier.draw(&mut self.random, tree)
    }

    fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        self.asked = self.asked.and_then(|branch| renumbered.branch(branch));
        self.frontier.renumbered(renumbered);
    }

    fn inserted(&mut self, added: &Added<'_>) {
        self.frontier.add(added.inserted, added.tree);
    }
}

#[cfg(test)]
impl RandomPath {
    /// The alternatives of one walk from the start.
    pub(super) fn draw(&mut self, tree: &Tree) -> Vec<u16> {
        let mut path = Vec::new();
        if let Some(root) = tree.root() {
            self.walk(root, tree, |alternative| path.push(alternative));
        }
        path
    }
}
