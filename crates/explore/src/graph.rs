//! The control-flow and static call graph of the program (CREST's CFCG), with the distance of each block from an
//! uncovered side.
//!
//! ```text
//!   block ──flow──▶ block           costs 1 if a branch decides it, otherwise 0
//!     └───call──▶ entry block       of the callee, or of each possible callee of an indirect call; costs 0
//! ```
//! There is no edge from the end of a function back to its callers: code after a call is reached by the edge past the
//! call.
//!
//! Distances only grow, because covered sides stay covered. When a side is covered, only blocks whose shortest path
//! used it are recomputed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use tine_trace::event::Site;

use crate::coverage::Coverage;
use crate::map::{BlockId, Call, FunctionId, ProgramMap, SideId};

/// Distance of a block without a path to an uncovered side.
pub const FAR: u32 = u32::MAX;

/// An edge out of a block.
#[derive(Clone, Copy, Debug)]
struct Way {
    to: BlockId,
    /// Number of decisions on the edge: 1 or 0.
    cost: u32,
    /// Branch side that the edge covers.
    side: Option<SideId>,
}

/// Distances to uncovered sides. See the module's documentation.
#[derive(Clone, Debug)]
pub struct Distances {
    /// Edges out of each block, by [`BlockId`].
    ways: Vec<Vec<Way>>,
    /// Sources of the edges into a block, by [`BlockId`].
    sources: Vec<Vec<BlockId>>,
    /// Source blocks of the edges with a side, by [`SideId`]; several if the branch has copies.
    blocks_of_side: Vec<Vec<BlockId>>,
    /// Branch side and target block of each decision's side, by site and side.
    flows: BTreeMap<(Site, u16), (Option<SideId>, BlockId)>,
    covered: Vec<bool>,
    /// Decisions from the start of a block until an uncovered side is taken, by [`BlockId`].
    distance: Vec<u32>,
}

impl Distances {
    /// Distances for this coverage.
    pub fn new(map: &ProgramMap, coverage: &Coverage) -> Distances {
        let n_blocks = map.blocks().len();
        let mut graph = Distances {
            ways: vec![Vec::new(); n_blocks],
            sources: vec![Vec::new(); n_blocks],
            blocks_of_side: vec![Vec::new(); map.n_sides()],
            flows: BTreeMap::new(),
            covered: (0..map.n_sides() as u32).map(|side| coverage.is_covered(SideId(side))).collect(),
            distance: vec![FAR; n_blocks],
        };
        let callees = Callees::new(map);
        for (number, block) in map.blocks().iter().enumerate() {
            let from = BlockId(number as u32);
            for flow in map.flows(block) {
                let side = flow.decided_by.and_then(|(site, side_index)| side(map, site, side_index));
                if let Some(decided) = flow.decided_by {
                    graph.flows.insert(decided, (side, flow.to));
                }
                graph.add(from, Way { to: flow.to, cost: u32::from(flow.decided_by.is_some()), side });
            }
            for call in map.calls(block) {
                for callee in callees.of(call, map, block.function) {
                    let blocks = &map.function(callee).blocks;
                    if !blocks.is_empty() {
                        graph.add(from, Way { to: BlockId(blocks.start), cost: 0, side: None });
                    }
                }
            }
        }
        graph.settle((0..n_blocks as u32).map(BlockId).collect());
        graph
    }

    fn add(&mut self, from: BlockId, way: Way) {
        self.ways[from.index()].push(way);
        self.sources[way.to.index()].push(from);
        if let Some(side) = way.side {
            self.blocks_of_side[side.index()].push(from);
        }
    }

    /// Decisions from the start of a block until an uncovered side is taken, or [`FAR`].
    pub fn of_block(&self, block: BlockId) -> u32 {
        self.distance[block.index()]
    }

    /// Number of decisions after this side until an uncovered side is taken: 0 if this side is uncovered, [`FAR`] also
    /// if the map does not contain it.
    pub fn of_side(&self, site: Site, side_index: u16) -> u32 {
        match self.flows.get(&(site, side_index)) {
            Some((Some(side), _)) if !self.covered[side.index()] => 0,
            Some((_, to)) => self.distance[to.index()],
            None => FAR,
        }
    }

    /// Updates the distances after these sides were covered.
    pub fn cover(&mut self, sides: &[SideId]) {
        let mut affected = Vec::new();
        for side in sides {
            if std::mem::replace(&mut self.covered[side.index()], true) {
                continue;
            }
            // A source block at distance 1 may have used an edge with this side.
            let blocks = self.blocks_of_side[side.index()].iter().copied();
            affected.extend(blocks.filter(|block| self.distance[block.index()] == 1));
        }
        let mut marked = vec![false; if affected.is_empty() { 0 } else { self.distance.len() }];
        let mut found = Vec::new();
        while let Some(block) = affected.pop() {
            if std::mem::replace(&mut marked[block.index()], true) {
                continue;
            }
            found.push(block);
            let here = self.distance[block.index()];
            for source in &self.sources[block.index()] {
                let over_here =
                    |way: &Way| way.to == block && here.saturating_add(way.cost) == self.distance[source.index()];
                if !marked[source.index()] && self.ways[source.index()].iter().any(over_here) {
                    affected.push(*source);
                }
            }
        }
        for block in &found {
            self.distance[block.index()] = FAR;
        }
        self.settle(found);
    }

    /// Recomputes the distances of `blocks`. These are all blocks whose distance may be wrong, and all of them are
    /// [`FAR`] now.
    fn settle(&mut self, blocks: Vec<BlockId>) {
        let mut queue = BinaryHeap::new();
        for block in blocks {
            let ways = self.ways[block.index()].iter();
            let least = ways.map(|way| self.over(way)).min().unwrap_or(FAR);
            if least < FAR {
                queue.push(Reverse((least, block)));
            }
        }
        while let Some(Reverse((distance, block))) = queue.pop() {
            if distance >= self.distance[block.index()] {
                continue;
            }
            self.distance[block.index()] = distance;
            for source in &self.sources[block.index()] {
                let ways = self.ways[source.index()].iter().filter(|way| way.to == block);
                let least = ways.map(|way| self.over(way)).min().unwrap_or(FAR);
                if least < self.distance[source.index()] {
                    queue.push(Reverse((least, *source)));
                }
            }
        }
    }

    /// The distance of a block if this edge is taken.
    fn over(&self, way: &Way) -> u32 {
        match way.side {
            Some(side) if !self.covered[side.index()] => way.cost,
            _ => self.distance[way.to.index()].saturating_add(way.cost),
        }
    }
}

fn side(map: &ProgramMap, site: Site, side_index: u16) -> Option<SideId> {
    let branch = map.branch(map.site(site)?.branch?);
    branch.sides().nth(side_index as usize)
}

/// Possible callees of calls.
#[derive(Debug)]
pub struct Callees {
    by_name: BTreeMap<String, Vec<FunctionId>>,
    /// Functions whose address is taken.
    by_signature: BTreeMap<u64, Vec<FunctionId>>,
}

impl Callees {
    /// Collects the functions that calls may reach.
    pub fn new(map: &ProgramMap) -> Callees {
        let mut callees = Callees { by_name: BTreeMap::new(), by_signature: BTreeMap::new() };
        for (number, function) in map.functions().iter().enumerate() {
            let id = FunctionId(number as u32);
            callees.by_name.entry(function.name.to_string()).or_default().push(id);
            if function.address_taken() {
                callees.by_signature.entry(function.signature).or_default().push(id);
            }
        }
        callees
    }

    /// Returns the possible callees of a call. A direct call means the function of that name, preferably the one in the
    /// caller's file. An indirect call means every function of the same type whose address is taken. The result is
    /// empty for code that is not instrumented.
    pub fn of(&self, call: &Call, map: &ProgramMap, caller: FunctionId) -> Vec<FunctionId> {
        if call.callee.is_empty() {
            return self.by_signature.get(&call.signature).cloned().unwrap_or_default();
        }
        let named = self.by_name.get(&*call.callee).map_or(&[][..], Vec::as_slice);
        let file = &map.function(caller).file;
        let near: Vec<_> = named.iter().copied().filter(|id| map.function(*id).file == *file).collect();
        if near.is_empty() { named.to_vec() } else { near }
    }
}

#[cfg(test)]
mod tests;
