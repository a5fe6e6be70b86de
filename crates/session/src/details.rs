//! Results that are known only at the end of an exploration and that the summary does not have: lines, and the
//! execution tree.
//!
//! The tree is stored as bytes, because it has many nodes and readers need all of them at once. Nodes are stored level
//! by level. Numbers are in groups of seven bits, the lowest first:
//! ```text
//!   node  = site, number of sides, state of each side
//!   state = 0 open │ 1 taken: the next node in order that has no parent yet │ 2 ended │ 3 cut off │ 4 infeasible │
//!           5 unknown │ 6 diverged │ 7 rejected │ 8 explored and folded │ 9 given up │ 10, n: n nodes left out
//! ```

use std::collections::VecDeque;
use std::time::Duration;

use tine_explore::explorer::Explorer;
use tine_explore::lines::{Line, lines};
use tine_explore::tree::{NodeId, OpenBranch, State, Tree};
use tine_trace::event::Site;

use crate::summary::Summary;

/// See the module's documentation.
#[derive(Clone, Debug, Default)]
pub struct Details {
    pub lines: Vec<Line>,
    pub tree: Vec<u8>,
    /// Sites that occur in the tree.
    pub sites: Vec<Site>,
}

/// Known numbers of an exploration that is running.
#[derive(Clone, Debug, Default)]
pub struct SoFar {
    /// Without reasons, errors and uncovered sides.
    pub summary: Summary,
    pub lines: Vec<Line>,
}

impl SoFar {
    /// Collects them. Unlike the summary at the end, this does not walk the tree.
    pub fn of(target: &str, checks: &str, explorer: &Explorer, elapsed: Duration) -> SoFar {
        let (map, coverage) = (explorer.map(), explorer.coverage());
        SoFar { summary: Summary::so_far(target, checks, explorer, elapsed), lines: lines(map, coverage) }
    }
}

/// Maximum number of stored nodes. Those further from the root are only counted.
const MAX_NODES: usize = 200_000;

impl Details {
    /// Collects them.
    pub fn of(explorer: &Explorer) -> Details {
        let (tree, sites) = encode(explorer.tree(), MAX_NODES);
        Details { lines: lines(explorer.map(), explorer.coverage()), tree, sites }
    }
}

fn encode(tree: &Tree, max_nodes: usize) -> (Vec<u8>, Vec<Site>) {
    let sizes = sizes(tree);
    let (mut bytes, mut sites) = (Vec::new(), Vec::new());
    let mut waiting: VecDeque<NodeId> = tree.root().into_iter().collect();
    let mut n_nodes = waiting.len();
    while let Some(node) = waiting.pop_front() {
        let view = tree.node(node);
        sites.push(view.site);
        number(&mut bytes, view.site.0.into());
        number(&mut bytes, view.n_sides.into());
        for side_index in 0..view.n_sides {
            let code = match tree.state(OpenBranch { node, side_index }) {
                State::Taken(child) if n_nodes < max_nodes => {
                    n_nodes += 1;
                    waiting.push_back(child);
                    1
                }
                State::Taken(child) => {
                    bytes.push(10);
                    number(&mut bytes, sizes[child.0 as usize].into());
                    continue;
                }
                State::Open | State::PutOff | State::HandedOut => 0,
                State::Ended => 2,
                State::Cut => 3,
                State::Infeasible => 4,
                State::Unknown => 5,
                State::Diverged => 6,
                State::Dead => 7,
                State::Done => 8,
                State::Dropped => 9,
            };
            bytes.push(code);
        }
    }
    sites.sort_unstable_by_key(|site| site.0);
    sites.dedup();
    (bytes, sites)
}

/// Size of the subtree of each node. Nodes come after their parents.
fn sizes(tree: &Tree) -> Vec<u32> {
    let mut sizes = vec![1u32; tree.n_nodes()];
    for node in tree.nodes().rev() {
        if let Some(parent) = tree.node(node).parent {
            sizes[parent.node.0 as usize] += sizes[node.0 as usize];
        }
    }
    sizes
}

/// Encodes the decisions of a path as bytes: site and side of each.
pub(crate) fn encode_path(path: &[(Site, u16)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (site, side) in path {
        number(&mut bytes, site.0.into());
        number(&mut bytes, (*side).into());
    }
    bytes
}

pub(crate) fn decode_path(bytes: &[u8]) -> Vec<(u32, u32)> {
    let mut numbers = Vec::new();
    let (mut value, mut shift) = (0u64, 0);
    for byte in bytes {
        value |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 || shift > 56 {
            numbers.push(value as u32);
            (value, shift) = (0, 0);
        }
    }
    numbers.as_chunks::<2>().0.iter().map(|[site, side]| (*site, *side)).collect()
}

fn number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_they_were_written() {
        let path = [(Site(0), 1), (Site(300), 0), (Site(u32::MAX), 65_535)];
        let read = decode_path(&encode_path(&path));
        assert_eq!(read, path.map(|(site, side)| (site.0, u32::from(side))));
        assert_eq!(decode_path(&[0xff; 40]).len(), 2, "damaged bytes are read as something");
    }
}
