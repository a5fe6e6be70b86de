//! Completeness for a change: whether every path has been explored that differs in what the targets decide or influence.
//!
//! ```text
//!   for (…) if (flags >> i & 1) n++;    unrelated: 2^20 paths, most of them open
//!   if (key == 7) x = lookup(key);      decides about the target `lookup`
//!   if (x < 0)                          influenced
//! ```
//! Branches *matter* if a target or an influenced branch or access depends on them. The exploration is complete for the
//! change if it is complete along some sides of the decisions that do not matter: then every other path makes the same
//! decisions that matter as an explored one. One more case has to be excluded: a side may be infeasible only because of
//! an unrelated decision before it. That cannot be if the two depend on different inputs, also by way of other decisions
//! on the path.

use std::collections::{HashMap, HashSet};

use tine_trace::event::Site;
use tine_trace::map::SiteKind;

use super::Influence;
use crate::explorer::Explorer;
use crate::reasons::{self, Verdict};
use crate::tree::{NodeId, OpenBranch, State, Tree};

/// Steps of the search for common inputs, after which the verdict is *incomplete*.
const MAX_STEPS: u64 = 20_000_000;

/// Strength of the verdict for the targets' changes.
pub fn verdict_for_change(explorer: &Explorer, influence: &Influence) -> Verdict {
    let tree = explorer.tree();
    if tree.n_open() == 0 {
        return explorer.verdict();
    }
    let verdict = reasons::verdict(&explorer.reasons_besides_open());
    // Decisions before a folded side are unknown.
    if verdict == Verdict::Incomplete || tree.gone().next().is_some() || tree.root().is_none() {
        return Verdict::Incomplete;
    }
    let mut common = Common { tree, influence, inputs: HashMap::new(), steps: 0 };
    let mut is_covered = vec![false; tree.n_nodes()];
    // Nodes come after those that precede them on their paths.
    for node in tree.nodes().rev() {
        let view = tree.node(node);
        let kind = explorer.map().site(view.site).map(|site| (site.kind, site.failing));
        let mut states = (0..view.n_sides).map(|side| (side, tree.state(OpenBranch { node, side_index: side })));
        is_covered[node.0 as usize] = if influence.matters(view.site) {
            states.all(|(_, state)| match state {
                State::Taken(next) => is_covered[next.0 as usize],
                State::Ended | State::Cut | State::Dead => true,
                State::Infeasible => !common.may_depend_on_unrelated(node),
                _ => false,
            })
        } else {
            states.any(|(side, state)| match (state, kind) {
                (State::Taken(next), _) => is_covered[next.0 as usize],
                // A run that ended with an error is not like others.
                (State::Ended, Some((SiteKind::Branch | SiteKind::Switch, _))) => true,
                (State::Ended, Some((SiteKind::Check | SiteKind::Assume, failing))) => side != failing,
                _ => false,
            })
        };
    }
    let is_complete = tree.root().is_some_and(|root| is_covered[root.0 as usize]);
    if is_complete { verdict } else { Verdict::Incomplete }
}

/// Inputs that decisions have in common.
struct Common<'a> {
    tree: &'a Tree,
    influence: &'a Influence,
    /// By site. `None`: any input.
    inputs: HashMap<Site, Option<HashSet<u32>>>,
    steps: u64,
}

impl Common<'_> {
    /// True if a decision may depend on inputs that an earlier decision which does not matter depends on.
    fn may_depend_on_unrelated(&mut self, node: NodeId) -> bool {
        let mut above: Vec<(Site, bool)> = Vec::new();
        let mut next = self.tree.node(node).parent;
        while let Some(side) = next {
            let site = self.tree.node(side.node).site;
            above.push((site, !self.influence.matters(site)));
            next = self.tree.node(side.node).parent;
        }
        self.steps += above.len() as u64;
        if above.iter().all(|(_, is_unrelated)| !is_unrelated) {
            return false;
        }
        above.sort_unstable();
        above.dedup();
        let Some(mut reached) = self.inputs_of(self.tree.node(node).site).clone() else { return true };
        loop {
            let n_before = above.len();
            let mut left = Vec::new();
            for (site, is_unrelated) in above {
                self.steps += 1 + reached.len() as u64;
                let inputs = self.inputs_of(site);
                if inputs.as_ref().is_some_and(|inputs| inputs.is_disjoint(&reached)) {
                    left.push((site, is_unrelated));
                } else if is_unrelated || inputs.is_none() {
                    return true;
                } else {
                    reached.extend(inputs.iter().flatten());
                }
            }
            above = left;
            if above.len() == n_before {
                return false;
            }
            if self.steps > MAX_STEPS {
                return true;
            }
        }
    }

    fn inputs_of(&mut self, site: Site) -> &Option<HashSet<u32>> {
        if !self.inputs.contains_key(&site) {
            // Each site costs a walk through the graph.
            self.steps += 10_000;
        }
        self.inputs.entry(site).or_insert_with(|| self.influence.inputs_of(site))
    }
}
