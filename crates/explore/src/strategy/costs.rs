//! What jobs cost, and which cost too much.
//!
//! A number that says how often a loop goes round makes a run of 600,000 decisions where others have 600. Every decision of it
//! can be flipped, and each time all that came before it is looked at: a few such jobs take the time of thousands, and bring no
//! more. So what is expected to cost many times the usual gets a part of all that is spent; what exceeds it waits.
//!
//! Costs are counted in decisions, not in time: the same seed is to give the same search.

use std::collections::BTreeMap;

use super::Added;
use crate::job::CaseId;
use crate::tree::{OpenBranch, Tree};

/// What the jobs of a search cost, in decisions: those before the flipped one, and those of the run.
#[derive(Clone, Debug, Default)]
pub(super) struct Costs {
    spent: u64,
    /// The part of it for what was dear.
    dear: u64,
    /// What about half of the jobs do not exceed.
    usual: u64,
    /// Cases whose run was dear: most that is flipped in them makes another like it.
    cases: BTreeMap<CaseId, u64>,
}

/// So many times the usual is dear …
const FACTOR: u64 = 16;
/// … and no less than this: some hundredths of a second.
const LEAST: u64 = 1 << 14;
/// The part of all that may go to what is dear, besides this much.
const PART: u64 = 8;
const FREE: u64 = 1 << 20;
/// It takes so many jobs until what is usual is three times what it was.
const STEPS: u64 = 64;
/// What a run costs that came to the limit of time.
const SLOW: u64 = 1 << 18;

impl Costs {
    /// From what on something is dear.
    fn bound(&self) -> u64 {
        self.usual.saturating_mul(FACTOR).max(LEAST)
    }

    fn expected(&self, branch: OpenBranch, tree: &Tree) -> u64 {
        let node = tree.node(branch.node);
        let of_parent = self.cases.get(&node.case).copied();
        of_parent.unwrap_or(0).max(u64::from(node.depth))
    }

    /// Whether to wait with this: it is dear, and enough went to such.
    pub(super) fn is_too_dear(&self, branch: OpenBranch, tree: &Tree) -> bool {
        let expected = self.expected(branch, tree);
        expected >= self.bound() && self.dear + expected > self.spent / PART + FREE
    }

    /// There was a run, and it is this strategy's job that it came of or not.
    pub(super) fn ran(&mut self, added: &Added<'_>) {
        let cost = added.tree.last_path().len() as u64 + if added.is_slow { SLOW } else { 0 };
        if let Some(first) = added.inserted.nodes().next()
            && cost >= self.bound()
        {
            self.cases.insert(added.tree.node(first).case, cost);
        }
        if added.own {
            self.spend(cost);
        }
    }

    /// Nothing came of a job that so many decisions come before.
    pub(super) fn was_in_vain(&mut self, depth: u32) {
        self.spend(u64::from(depth));
    }

    fn spend(&mut self, cost: u64) {
        let bound = self.bound();
        self.dear += if cost >= bound { cost } else { 0 };
        self.spent += cost;
        // A step at a time, however much it was.
        let step = self.usual / STEPS;
        self.usual = if cost > self.usual { self.usual + step.max(1) } else { self.usual - step };
    }
}
