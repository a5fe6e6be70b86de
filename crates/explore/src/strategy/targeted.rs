//! Search that begins with the targets.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use tine_trace::map::SiteKind;

use super::frontier::Later;
use super::random::Random;
use super::{Added, Choice, Happened, Side, Strategy, View};
use crate::coverage::Coverage;
use crate::graph::{Callees, FAR};
use crate::influence::Influence;
use crate::lines;
use crate::map::{BlockId, ProgramMap, SiteInfo};
use crate::tree::{NodeId, OpenBranch, Renumbered, Tree, Untaken};

/// Chooses first the open side with the fewest decisions to an unreached target, among branches that decide a target.
/// When all targets are reached, or none can be reached, it chooses sides of branches that decide or are influenced,
/// the least tried first. Unrelated branches come last.
#[derive(Debug)]
pub struct Targeted {
    influence: Option<Arc<Influence>>,
    random: Random,
    later: Later,
    reached: Vec<bool>,
    /// Number of decisions to an unreached target, by [`BlockId`].
    distances: Vec<u32>,
    /// First block of a side.
    ends: BTreeMap<Side, BlockId>,
    open: BTreeMap<Side, Vec<NodeId>>,
    tries: BTreeMap<Side, u32>,
    asked: Option<Side>,
}

impl Targeted {
    /// Without `influence`, all branches count as unrelated.
    pub fn new(seed: u64, influence: Option<Arc<Influence>>, by_calls: bool) -> Targeted {
        Targeted {
            influence,
            random: Random::new(seed),
            later: Later::new(by_calls),
            reached: Vec::new(),
            distances: Vec::new(),
            ends: BTreeMap::new(),
            open: BTreeMap::new(),
            tries: BTreeMap::new(),
            asked: None,
        }
    }

    /// Determines the unreached targets and updates the distances to them.
    fn look(&mut self, map: &ProgramMap, coverage: &Coverage) {
        let Some(influence) = &self.influence else { return };
        let executed = lines::executed(map, coverage);
        let is_reached = |blocks: &Vec<BlockId>| blocks.iter().any(|block| executed[block.index()]);
        let reached: Vec<bool> = influence.targets().iter().map(is_reached).collect();
        if reached != self.reached {
            let left = influence.targets().iter().zip(&reached).filter(|(_, reached)| !**reached);
            self.distances = distances(map, left.flat_map(|(blocks, _)| blocks.iter().copied()));
            self.reached = reached;
        }
        if self.ends.is_empty() {
            let flows = map.blocks().iter().flat_map(|block| map.flows(block));
            self.ends = flows.filter_map(|flow| Some((flow.decided_by?, flow.to))).collect();
        }
    }

    /// Number of decisions from a side to an unreached target. Sides of accesses and checks are not in the control flow:
    /// they are as near as their block, except for those that fail.
    fn distance(&self, side: Side, map: &ProgramMap) -> u32 {
        let own_block = || {
            let site = map.site(side.0).filter(|site| !fails(site, side.1))?;
            site.block
        };
        let block = self.ends.get(&side).copied().or_else(own_block);
        block.and_then(|block| self.distances.get(block.index()).copied()).unwrap_or(FAR)
    }

    /// Rank of a side; the smallest is first. Sides of one class are ordered by the number of attempts.
    fn rank(&self, side: Side, map: &ProgramMap, coverage: &Coverage) -> (u32, u32, bool) {
        let tries = self.tries.get(&side).copied().unwrap_or(0);
        let branch = map.site(side.0).and_then(|site| site.branch);
        let covers = branch.and_then(|branch| map.branch(branch).sides().nth(usize::from(side.1)));
        let is_covered = covers.is_none_or(|side| coverage.is_covered(side));
        let Some(influence) = &self.influence else { return (0, tries, is_covered) };
        let relation = influence.relation(side.0);
        // Code after an error does not depend on its check, but the run has to pass checks and accesses.
        let is_passed = map.site(side.0).is_some_and(|site| !site.kind.covers());
        let distance = self.distance(side, map);
        if (relation.decides || is_passed) && distance < FAR - 2 {
            return (distance.saturating_add(tries).min(FAR - 2), tries, is_covered);
        }
        if relation.is_unrelated() {
            return (FAR, tries, is_covered);
        }
        (FAR - 1, tries, is_covered)
    }

    /// Returns an open branch that would take a side, usually of a late run.
    fn of_side(&mut self, side: Side, tree: &Tree) -> Option<OpenBranch> {
        let nodes = self.open.get_mut(&side)?;
        while !nodes.is_empty() {
            let last = nodes.len() - 1;
            let place = if self.random.below(4) == 0 { self.random.below(nodes.len()) } else { last };
            let branch = OpenBranch { node: nodes[place], side_index: side.1 };
            nodes.swap_remove(place);
            if tree.is_open(branch) {
                return Some(branch);
            }
        }
        self.open.remove(&side);
        None
    }
}

/// True for the side of a check on which it fails.
fn fails(site: &SiteInfo, side: u16) -> bool {
    matches!(site.kind, SiteKind::Check | SiteKind::Assume) && site.failing == side
}

/// Number of decisions from a block to one of `targets`, along control flow and calls, by block.
fn distances(map: &ProgramMap, targets: impl Iterator<Item = BlockId>) -> Vec<u32> {
    let callees = Callees::new(map);
    let mut sources: Vec<Vec<(BlockId, u32)>> = vec![Vec::new(); map.blocks().len()];
    for (number, block) in map.blocks().iter().enumerate() {
        let from = BlockId(number as u32);
        for flow in map.flows(block) {
            sources[flow.to.index()].push((from, u32::from(flow.decided_by.is_some())));
        }
        for callee in map.calls(block).iter().flat_map(|call| callees.of(call, map, block.function)) {
            let blocks = &map.function(callee).blocks;
            if !blocks.is_empty() {
                sources[blocks.start as usize].push((from, 0));
            }
        }
    }
    let mut distances = vec![FAR; map.blocks().len()];
    let mut waiting: VecDeque<(BlockId, u32)> = targets.map(|block| (block, 0)).collect();
    while let Some((block, distance)) = waiting.pop_front() {
        if distance >= distances[block.index()] {
            continue;
        }
        distances[block.index()] = distance;
        for (source, cost) in &sources[block.index()] {
            // Edges without a decision come first, so that distances are visited in order.
            if *cost == 0 {
                waiting.push_front((*source, distance));
            } else {
                waiting.push_back((*source, distance + 1));
            }
        }
    }
    distances
}

impl Strategy for Targeted {
    fn name(&self) -> &'static str {
        "targeted"
    }

    fn next(&mut self, view: &View<'_>) -> Option<Choice> {
        let View { tree, map, coverage, .. } = *view;
        while let Some(best) = self.open.keys().copied().min_by_key(|side| self.rank(*side, map, coverage)) {
            if let Some(branch) = self.of_side(best, tree) {
                *self.tries.entry(best).or_default() += 1;
                self.asked = Some(best);
                return Some(branch.into());
            }
        }
        self.asked = None;
        self.later.next(tree).map(Choice::from)
    }

    fn happened(&mut self, event: &Happened<'_>) {
        match event {
            Happened::Ran(added) => self.inserted(added),
            Happened::Untaken { why, .. } => self.untaken(*why),
            Happened::Renumbered(renumbered) => self.renumbered(renumbered),
        }
    }
}

impl Targeted {
    fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        for nodes in self.open.values_mut() {
            renumbered.retain(nodes);
        }
        self.open.retain(|_, nodes| !nodes.is_empty());
        self.later.renumbered(renumbered);
    }

    fn inserted(&mut self, added: &Added<'_>) {
        let tree = added.tree;
        if self.ends.is_empty() || !added.covered.is_empty() {
            self.look(added.map, added.coverage);
        }
        // New coverage may make earlier failed attempts succeed.
        if added.own && !added.covered.is_empty() {
            self.tries.clear();
        }
        for node in self.later.sift(added.inserted, tree) {
            let mut from = 0;
            while let Some(branch) = tree.next_open(node, from) {
                from = branch.side_index + 1;
                self.open.entry((tree.node(node).site, branch.side_index)).or_default().push(node);
            }
        }
    }

    fn untaken(&mut self, why: Untaken) {
        if let Some(side) = self.asked.take().filter(|_| why == Untaken::Unknown) {
            *self.tries.entry(side).or_default() += 7;
        }
    }
}
