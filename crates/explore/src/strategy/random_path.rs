//! CREST's uniform random search.

use super::frontier::Frontier;
use super::random::Random;
use super::{Added, Choice, Happened, Strategy, View};
use crate::tree::{NodeId, OpenBranch, Renumbered, State, Tree};

/// Random paths on which each side of a branch is equally likely, so that a path with k branches has probability 2^-k.
/// CREST §3.1 flips the branches of a run. Here the tree is walked, so that known paths need no run.
///
/// A walk goes from the start to the end of a path. An open side on the way is run, and the walk continues after it.
/// Known paths are drawn repeatedly, so after a few walks without an open branch any open branch is taken. This happens
/// at once if the last one was put off, because walking the tree again for each of many such branches would take time
/// proportional to their number times the depth of the tree.
#[derive(Clone, Debug)]
pub struct RandomPath {
    random: Random,
    frontier: Frontier,
    /// The branch that was chosen last. The flag is true if a walk found it, in which case the walk continues below it.
    asked: Option<(OpenBranch, bool)>,
}

/// Number of consecutive walks along known paths before any open branch is taken.
const WALKS: u32 = 16;
/// Maximum number of sides that all walks of one choice look at. The first walk is not limited by it.
const MAX_LOOKS: u64 = 1 << 14;

/// Result of a walk.
enum Walked {
    To(OpenBranch),
    /// The walk reached the end of a known path.
    Ended,
}

impl RandomPath {
    /// Creates the strategy.
    pub fn new(seed: u64, by_calls: bool) -> RandomPath {
        RandomPath { random: Random::new(seed), frontier: Frontier::new(by_calls), asked: None }
    }

    /// Walks down from `node`. `taken` is called with each side.
    fn walk(&mut self, mut node: NodeId, tree: &Tree, looks: &mut u64, mut taken: impl FnMut(u16)) -> Walked {
        loop {
            *looks += u64::from(tree.node(node).n_sides);
            let waits = self.frontier.waits(node, tree);
            let possible = |side_index: &u16| match tree.state(OpenBranch { node, side_index: *side_index }) {
                State::Open => !waits,
                State::Taken(_) | State::Ended | State::Cut => true,
                _ => false,
            };
            let n = (0..tree.node(node).n_sides).filter(possible).count();
            if n == 0 {
                return Walked::Ended;
            }
            let drawn = self.random.below(n);
            let side_index = (0..tree.node(node).n_sides).filter(possible).nth(drawn).expect("one of n");
            taken(side_index);
            let branch = OpenBranch { node, side_index };
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

    fn next(&mut self, view: &View<'_>) -> Option<Choice> {
        let tree = view.tree;
        let asked = self.asked.take();
        let was_put_off = asked.is_some_and(|(branch, _)| tree.state(branch) == State::PutOff);
        let n_walks = if was_put_off { 0 } else { WALKS };
        let below = asked.filter(|(_, walked)| *walked).and_then(|(branch, _)| match tree.state(branch) {
            State::Taken(child) => Some(child),
            // The side could not be forced, so the path stays as it was here.
            State::Infeasible | State::Unknown => Some(branch.node),
            _ => None,
        });
        let mut looks = 0;
        for start in below.into_iter().chain((0..n_walks).filter_map(|_| tree.root())) {
            if let Walked::To(branch) = self.walk(start, tree, &mut looks, |_| ()) {
                self.asked = Some((branch, true));
                return Some(branch.into());
            }
            if looks > MAX_LOOKS {
                break;
            }
        }
        let branch = self.frontier.draw(&mut self.random, tree)?;
        self.asked = Some((branch, false));
        Some(branch.into())
    }

    fn happened(&mut self, event: &Happened<'_>) {
        match event {
            Happened::Ran(added) => self.inserted(added),
            Happened::Untaken { .. } => {}
            Happened::Renumbered(renumbered) => self.renumbered(renumbered),
        }
    }
}

impl RandomPath {
    fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        self.asked = self.asked.and_then(|(branch, walked)| Some((renumbered.branch(branch)?, walked)));
        self.frontier.renumbered(renumbered);
    }

    fn inserted(&mut self, added: &Added<'_>) {
        self.frontier.add(added.inserted, added.tree);
    }
}

impl RandomPath {
    /// Returns the sides of one walk from the start.
    pub fn draw(&mut self, tree: &Tree) -> Vec<u16> {
        let mut path = Vec::new();
        if let Some(root) = tree.root() {
            self.walk(root, tree, &mut 0, |side_index| path.push(side_index));
        }
        path
    }
}
