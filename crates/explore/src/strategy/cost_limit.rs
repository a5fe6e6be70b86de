//! The cost of jobs, and a limit on expensive ones.
//!
//! An input that determines how often a loop repeats can cause a run of 600,000 decisions where other runs have 600.
//! Every one of these decisions can be flipped, and each flip looks at all decisions before it. A few such jobs take
//! the time of thousands of others and cover no more. Therefore jobs that are expected to cost many times the usual get
//! a fixed part of the total cost. Jobs beyond that part wait.
//!
//! Costs are counted in decisions, not in time, so that the same seed gives the same search.

use std::collections::BTreeMap;

use super::{Action, Added, Choice, Happened, Postponed, Strategy, View};
use crate::job::CaseId;
use crate::tree::{OpenBranch, Tree};

/// Postpones expensive choices of another strategy. See the module's documentation.
pub(super) struct CostLimit {
    inner: Box<dyn Strategy>,
    costs: Costs,
    /// Number of decisions before the branch that was chosen last.
    asked: Option<u32>,
}

impl CostLimit {
    pub(super) fn new(inner: Box<dyn Strategy>) -> CostLimit {
        CostLimit { inner, costs: Costs::default(), asked: None }
    }
}

impl Strategy for CostLimit {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn next(&mut self, view: &View<'_>) -> Option<Choice> {
        let tree = view.tree;
        let affordable = view.waiting.filter(|branch| !self.costs.is_too_expensive(*branch, tree));
        let mut choice = match affordable {
            Some(branch) => Action::Resume(branch).into(),
            None => self.inner.next(view)?,
        };
        if let Action::Try(branch) | Action::Resume(branch) = choice.action {
            self.asked = Some(tree.node(branch.node).depth);
        }
        if let Action::Try(branch) = choice.action
            && self.costs.is_too_expensive(branch, tree)
        {
            choice.action = Action::Postpone(branch, Postponed::Expensive);
        }
        Some(choice)
    }

    fn happened(&mut self, event: &Happened<'_>) {
        match event {
            Happened::Ran(added) => {
                self.asked = None;
                self.costs.ran(added);
            }
            Happened::Untaken { .. } => {
                if let Some(depth) = self.asked.take() {
                    self.costs.failed(depth);
                }
            }
            Happened::Renumbered(_) => {}
        }
        self.inner.happened(event);
    }
}

/// Cost of the jobs of a search, in decisions: those before the flipped one, and those of the run.
#[derive(Clone, Debug, Default)]
struct Costs {
    spent: u64,
    /// The part of it that expensive jobs took.
    expensive: u64,
    /// Cost that about half of the jobs do not exceed.
    usual: u64,
    /// Cases whose run was expensive: most flips in them make another expensive run.
    cases: BTreeMap<CaseId, u64>,
}

/// A job is expensive from this many times the usual cost on …
const FACTOR: u64 = 16;
/// … and at least from this cost on, which is some hundredths of a second.
const LEAST: u64 = 1 << 14;
/// Expensive jobs may take one part in this many of the total cost, besides `FREE`.
const PART: u64 = 8;
const FREE: u64 = 1 << 20;
/// Number of jobs until the usual cost is three times its old value.
const STEPS: u64 = 64;
/// Cost of a run that reached its time limit.
const SLOW: u64 = 1 << 18;

impl Costs {
    /// Cost from which on a job is expensive.
    fn bound(&self) -> u64 {
        self.usual.saturating_mul(FACTOR).max(LEAST)
    }

    fn expected(&self, branch: OpenBranch, tree: &Tree) -> u64 {
        let node = tree.node(branch.node);
        let of_parent = self.cases.get(&node.case).copied();
        of_parent.unwrap_or(0).max(u64::from(node.depth))
    }

    /// True if the job is expensive and expensive jobs have used up their part.
    fn is_too_expensive(&self, branch: OpenBranch, tree: &Tree) -> bool {
        let expected = self.expected(branch, tree);
        expected >= self.bound() && self.expensive + expected > self.spent / PART + FREE
    }

    /// Records the cost of a run; `added.own` is true if this strategy requested it.
    fn ran(&mut self, added: &Added<'_>) {
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

    /// Records the cost of a job without a run, whose branch has this many decisions before it.
    fn failed(&mut self, depth: u32) {
        self.spend(u64::from(depth));
    }

    fn spend(&mut self, cost: u64) {
        let bound = self.bound();
        self.expensive += if cost >= bound { cost } else { 0 };
        self.spent += cost;
        // One step per job, whatever its cost.
        let step = self.usual / STEPS;
        self.usual = if cost > self.usual { self.usual + step.max(1) } else { self.usual - step };
    }
}
