//! Influence of branches: the branches that decide whether, or with which values, given places of the program are
//! reached, and the branches that those places influence.
//!
//! ```text
//!   if (x > 3)      decides           the target's line is executed only if it holds
//!       y = g(x);   target
//!   if (y == 7)     influenced        y comes from the target
//!   if (z)          unrelated
//! ```
//! The answer is an over-approximation. An unrelated branch does not change when the code of a target changes, and has
//! no effect on the target. Unknown code is assumed to do anything that its arguments allow. An error ends the run:
//! code after it is not considered to depend on it, and neither is code after a loop that might not end.
//!
//! `program` links the modules. `points_to` computes the possible targets of addresses. `depend` builds a graph
//! from both. The answers are forward and backward reachability in that graph.

mod complete;
mod control;
mod cycles;
mod depend;
mod external;
mod memory;
mod points_to;
mod program;
mod targets;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tine_trace::event::Site;
use tine_trace::map::SiteKind;
use tine_trace::map::dataflow::Kind;

use crate::map::{BlockId, MapError, ProgramMap};
use depend::Depend;
use points_to::{PointsTo, Source};
use program::Program;

pub use complete::verdict_for_change;
pub use targets::{TargetError, TargetSpec};

/// Relation of a branch to the targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Relation {
    /// The branch decides whether, or with which values, a target is reached.
    pub decides: bool,
    /// The outcome of the branch, or whether it is executed, may change with the code of a target.
    pub influenced: bool,
}

impl Relation {
    /// True if the branch neither decides nor is influenced.
    pub fn is_unrelated(self) -> bool {
        self == Relation::default()
    }

    /// Description for the user.
    pub fn text(self) -> &'static str {
        match (self.decides, self.influenced) {
            (true, true) => "decides, influenced",
            (true, false) => "decides",
            (false, true) => "influenced",
            (false, false) => "unrelated",
        }
    }
}

/// A place on the way from a target to a branch, or back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub function: Arc<str>,
    pub file: Arc<str>,
    pub line: u32,
}

/// See the module's documentation.
pub struct Influence {
    relations: Vec<Relation>,
    /// True if a target, or a branch or access that is influenced, depends on the decision, by site.
    matter: Vec<bool>,
    /// Blocks that contain a target, by number of the target.
    targets: Vec<Vec<BlockId>>,
    branches: Vec<Option<u32>>,
    forwards: Vec<Option<u32>>,
    backwards: Vec<Option<u32>>,
    /// Source position, by node.
    links: Vec<Option<Link>>,
    /// Nodes of the decisions at each site.
    decided: Vec<Vec<u32>>,
    /// Nodes that a node depends on, by node.
    before: Vec<Vec<u32>>,
    /// Nodes that bring inputs into the program. `None`: inputs depend on each other.
    inputs: Option<HashSet<u32>>,
}

impl std::fmt::Debug for Influence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Influence").field("relations", &self.relations).finish_non_exhaustive()
    }
}

/// Reasons why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InfluenceError {
    #[error(transparent)]
    Map(#[from] MapError),
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error("interrupted")]
    Stopped,
}

impl Influence {
    /// Relates every branch of the program to the targets. Gives up when `stop` returns true.
    pub fn new(map: &ProgramMap, specs: &[TargetSpec], stop: &dyn Fn() -> bool) -> Result<Influence, InfluenceError> {
        let program = Program::new(map)?;
        specs.iter().try_for_each(|spec| targets::check(map, &program, spec))?;
        let points = PointsTo::new(&program, stop)?;
        let graph = Depend::new(map, &program, &points);
        let mut seeds = Vec::new();
        let mut passed = Vec::new();
        let mut targets = Vec::new();
        for spec in specs {
            let found = targets::find(map, &program, &graph, &points, spec)?;
            seeds.extend(found.nodes);
            passed.extend(found.passed);
            targets.push(found.blocks);
        }
        let links = links(map, &program, &graph);
        // Branches decide whether a target's blocks are executed, but a change of the target's code does not.
        let mut wanted = seeds.clone();
        for value in seeds.iter().filter(|node| **node < program.n_values) {
            let (function, block, _) = graph.places[*value as usize];
            wanted.push(graph.block(function as usize, block as usize));
        }
        seeds.extend(passed);
        let forwards = Depend::reached(&graph.after, &seeds);
        let backwards = Depend::reached(&graph.before, &wanted);
        let branches = branches(map, &program);
        let relation = |branch: &Option<u32>| {
            // A site that is not in the data flow is assumed to be related in both ways.
            branch.map_or(Relation { decides: true, influenced: true }, |branch| Relation {
                decides: backwards[branch as usize].is_some(),
                influenced: forwards[branch as usize].is_some(),
            })
        };
        let relations = branches.iter().map(relation).collect();
        let decided = deciding_nodes(map, &program, &points, &graph, &branches);
        // The number of elements of an array depends on another parameter.
        let are_separate = !program.externals.iter().any(|name| name == "__tine_length");
        let is_in = |reached: &[Option<u32>], nodes: &[u32]| nodes.iter().any(|node| reached[*node as usize].is_some());
        let influenced = decided.iter().filter(|nodes| is_in(&forwards, nodes)).flatten();
        let ends: Vec<u32> = wanted.iter().chain(influenced).copied().collect();
        let before = Depend::reached(&graph.before, &ends);
        let matter = decided.iter().map(|nodes| nodes.is_empty() || is_in(&before, nodes)).collect();
        Ok(Influence {
            relations,
            matter,
            targets,
            branches,
            forwards,
            backwards,
            links,
            decided,
            before: graph.before,
            inputs: are_separate.then_some(graph.inputs),
        })
    }

    /// Relation of a branching site to the targets.
    pub fn relation(&self, site: Site) -> Relation {
        self.relations.get(site.0 as usize).copied().unwrap_or_default()
    }

    /// True if a target, or a branch or access that is influenced, depends on the decisions at a site.
    pub(crate) fn matters(&self, site: Site) -> bool {
        self.matter.get(site.0 as usize).copied().unwrap_or(true)
    }

    /// Inputs that the decisions at a site may depend on, as nodes. `None`: any.
    pub(crate) fn inputs_of(&self, site: Site) -> Option<HashSet<u32>> {
        let nodes = self.decided.get(site.0 as usize).filter(|nodes| !nodes.is_empty())?;
        let inputs = self.inputs.as_ref()?;
        let reached = Depend::reached(&self.before, nodes);
        Some(inputs.iter().copied().filter(|input| reached[*input as usize].is_some()).collect())
    }

    /// Blocks of each target.
    pub fn targets(&self) -> &[Vec<BlockId>] {
        &self.targets
    }

    /// The chains of effects that relate a branch to a target, in program order: to the target if the branch decides,
    /// from the target if it is influenced. Empty if there is no such chain.
    pub fn why(&self, site: Site) -> (Vec<Link>, Vec<Link>) {
        let Some(branch) = self.branches.get(site.0 as usize).copied().flatten() else { return Default::default() };
        let to_target = self.way(&self.backwards, branch);
        let mut from_target = self.way(&self.forwards, branch);
        from_target.reverse();
        (to_target, from_target)
    }

    fn way(&self, came: &[Option<u32>], from: u32) -> Vec<Link> {
        let mut links: Vec<Link> = Vec::new();
        let mut node = from;
        while let Some(before) = came[node as usize] {
            let link = self.links.get(node as usize).cloned().flatten().filter(|link| link.line != 0);
            if let Some(link) = link.filter(|link| links.last() != Some(link)) {
                links.push(link);
            }
            if before == node {
                break;
            }
            node = before;
        }
        links
    }
}

/// Source positions of values and blocks, by node.
fn links(map: &ProgramMap, program: &Program, graph: &Depend) -> Vec<Option<Link>> {
    let link = |(function, _, line): &(u32, u32, u32)| {
        let function = map.function(program.functions.get(*function as usize)?.mapped?);
        Some(Link { function: function.name.clone(), file: function.file.clone(), line: *line })
    };
    let mut links: Vec<_> = graph.places.iter().map(link).collect();
    links.resize(graph.after.len(), None);
    for (index, code) in program.functions.iter().enumerate() {
        let mut value = code.first + code.flow.n_parameters;
        for (number, block) in code.flow.blocks.iter().enumerate() {
            let lines = block.operations.iter().map(|operation| operation.line);
            let first = (value..).zip(lines).find(|(_, line)| *line != 0).map(|(value, _)| value);
            links[graph.block(index, number) as usize] = first.and_then(|value| links[value as usize].clone());
            value += block.operations.len() as u32;
        }
    }
    links
}

/// Values of branches, by site.
fn branches(map: &ProgramMap, program: &Program) -> Vec<Option<u32>> {
    let mut by_block = HashMap::new();
    for code in &program.functions {
        let Some(mapped) = code.mapped else { continue };
        let first = map.function(mapped).blocks.start;
        let mut value = code.first + code.flow.n_parameters;
        for block in &code.flow.blocks {
            value += block.operations.len() as u32;
            if let Some(number) = block.number {
                by_block.insert(BlockId(first + number), value.wrapping_sub(1));
            }
        }
    }
    map.sites().iter().map(|site| by_block.get(&site.block?).copied()).collect()
}

/// Nodes that decisions at each site depend on: the branch, or the addresses of accesses and whether they are made. Empty
/// if they are not known.
fn deciding_nodes(
    map: &ProgramMap,
    program: &Program,
    points: &PointsTo,
    graph: &Depend,
    branches: &[Option<u32>],
) -> Vec<Vec<u32>> {
    let mut by_place = HashMap::<(BlockId, u32), Vec<u32>>::new();
    for (index, code) in program.functions.iter().enumerate() {
        let Some(mapped) = code.mapped else { continue };
        let first = map.function(mapped).blocks.start;
        for (at, block) in code.flow.blocks.iter().enumerate() {
            let Some(number) = block.number else { continue };
            for operation in &block.operations {
                let n_addresses = match operation.kind {
                    Kind::Load { .. } | Kind::Store { .. } => 1,
                    Kind::Copy { .. } => 2,
                    _ => continue,
                };
                let nodes = by_place.entry((BlockId(first + number), operation.line)).or_default();
                nodes.push(graph.block(index, at));
                for address in operation.operands.iter().take(n_addresses) {
                    if let Source::Node(node) = points.source(program, code.module, code.first, *address) {
                        nodes.push(node);
                    }
                }
            }
        }
    }
    let nodes = map.sites().iter().zip(branches).map(|(site, branch)| match (site.kind, site.block) {
        (kind, _) if kind.branches() => branch.iter().copied().collect(),
        (SiteKind::Access, Some(block)) => by_place.get(&(block, site.line)).cloned().unwrap_or_default(),
        _ => Vec::new(),
    });
    nodes.collect()
}
