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
/// behind it. Known paths are drawn again and again, so after a few walks without an open branch any open branch is taken:
/// at once if the last one was put off, because walking the tree again for each of many such branches would take time
/// proportional to their number times the depth of the tree.
#[derive(Clone, Debug)]
pub struct RandomPath {
    random: Random,
    frontier: Frontier,
    /// What was asked for last, and whether a walk led there, which then continues below it.
    asked: Option<(OpenBranch, bool)>,
}

/// Walks along known paths only, one after the other, before something else is done.
const WALKS: u32 = 16;
/// Alternatives that all walks of one choice may look at. The first walk is not cut off by it.
const MAX_LOOKS: u64 = 1 << 14;

/// Next step of a walk.
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
    fn walk(&mut self, mut node: NodeId, tree: &Tree, looks: &mut u64, mut taken: impl FnMut(u16)) -> Walked {
        loop {
            *looks += u64::from(tree.node(node).n_alternatives);
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
        let asked = self.asked.take();
        let was_put_off = asked.is_some_and(|(branch, _)| tree.state(branch) == State::PutOff);
        let n_walks = if was_put_off { 0 } else { WALKS };
        let behind = asked.filter(|(_, walked)| *walked).and_then(|(branch, _)| match tree.state(branch) {
            State::Taken(child) => Some(child),
            // It could not be forced: the path stays as it was here.
            State::Infeasible | State::Unknown => Some(branch.node),
            _ => None,
        });
        let mut looks = 0;
        for start in behind.into_iter().chain((0..n_walks).filter_map(|_| tree.root())) {
            if let Walked::To(branch) = self.walk(start, tree, &mut looks, |_| ()) {
                self.asked = Some((branch, true));
                return Some(branch);
            }
            if looks > MAX_LOOKS {
                break;
            }
        }
        let branch = self.frontier.draw(&mut self.random, tree)?;
        self.asked = Some((branch, false));
        Some(branch)
    }

    fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        self.asked = self.asked.and_then(|(branch, walked)| Some((renumbered.branch(branch)?, walked)));
        self.frontier.renumbered(renumbered);
    }

    fn inserted(&mut self, added: &Added<'_>) {
        self.frontier.add(added.inserted, added.tree);
    }
}

impl RandomPath {
    /// The alternatives of one walk from the start.
    pub fn draw(&mut self, tree: &Tree) -> Vec<u16> {
        let mut path = Vec::new();
        if let Some(root) = tree.root() {
            self.walk(root, tree, &mut 0, |alternative| path.push(alternative));
        }
        path
    }
}
