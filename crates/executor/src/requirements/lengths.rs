//! Arrays that are shorter than what a function uses of them whatever their length.
//!
//! ```text
//!   int most = values[0];             fails if n is 0, and nothing before depends on n: requires n >= 1
//!   for (i = 0; i <= n; i++) …        the loop compares n before values[n] is read: an error
//!   for (i = 0; i < m; i++) …         nothing compares n, but m, another length, decides about values[i]: an error
//! ```

use std::collections::HashSet;

use tine_explore::ProgramMap;
use tine_trace::event::{Event, Site};
use tine_trace::map::SiteKind;
use tine_trace::node::Node;
use tine_trace::op::Op;

use crate::import::Trace;

/// Maximum number of nodes that are searched for an input.
const MAX_NODES: usize = 4096;

/// The input that is the length of the array, and the length that the function needs, if the run ended at a check of a
/// length and decided nothing else about it or the other `lengths`, and nothing in a loop.
pub(super) fn too_short(map: &ProgramMap, trace: &Trace, lengths: &[u32]) -> Option<(u32, u64)> {
    let (last, earlier) = trace.events().split_last()?;
    if is_of_branch(map, last) {
        return None;
    }
    let nodes = trace.nodes();
    let check = nodes.get(last.node as usize).filter(|node| node.op == Op::Ult as u8)?;
    let index = nodes.get(check.a as usize).filter(|node| node.op == Op::Const as u8)?.value[0];
    let input = input_of(nodes, check.b)?;
    let mut seen = HashSet::new();
    for event in earlier.iter().filter(|event| is_of_branch(map, event)) {
        let mentions = |length: &u32| mentions(nodes, event.node, *length);
        let is_program = map.site(Site(event.site)).is_some_and(|site| site.kind == SiteKind::Branch);
        if mentions(&input) || lengths.iter().any(mentions) || is_program && !seen.insert(event.site) {
            return None;
        }
    }
    Some((input, index.checked_add(1)?))
}

/// True for a decision of the program, not of an access to memory.
fn is_of_branch(map: &ProgramMap, event: &Event) -> bool {
    map.site(Site(event.site)).is_none_or(|site| site.kind != SiteKind::Access)
}

/// The input that is a length: a number of up to 64 bits.
fn input_of(nodes: &[Node], length: u32) -> Option<u32> {
    let node = nodes.get(length as usize)?;
    match Op::from_number(node.op)? {
        Op::Input => (node.b == 0).then_some(node.a),
        Op::ZExt => input_of(nodes, node.a),
        _ => None,
    }
}

/// True if an expression may depend on an input.
fn mentions(nodes: &[Node], id: u32, input: u32) -> bool {
    let mut pending = vec![id];
    let mut seen = HashSet::new();
    while let Some(id) = pending.pop() {
        let Some(node) = nodes.get(id as usize) else { continue };
        if node.op == Op::Input as u8 && node.a == input || seen.len() >= MAX_NODES {
            return true;
        }
        if node.op != Op::Input as u8 && seen.insert(id) {
            pending.extend(node.operands());
        }
    }
    false
}
