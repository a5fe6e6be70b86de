//! Lines of the user's functions, with the information whether some run executed them.
//!
//! Runs record the sides of branches that they take, not lines. A block counts as executed if control flow reaches it:
//! along a taken side, after an executed block, or through a call in such a block. Code after a call that never
//! returned, or after a check that always failed, also counts as executed.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use tine_trace::map::SiteKind;

use crate::coverage::Coverage;
use crate::map::{BlockId, Edge, FunctionId, ProgramMap};

/// A line with code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub file: Arc<str>,
    pub function: Arc<str>,
    pub line: u32,
    pub is_executed: bool,
}

/// All lines with code of the user's functions, by file and number. Runs call the function `start` first.
pub fn lines(map: &ProgramMap, coverage: &Coverage, start: &str) -> Vec<Line> {
    let executed = executed(map, coverage, start);
    let mut lines = BTreeMap::<(Arc<str>, u32), (Arc<str>, bool)>::new();
    let counted = (0..).zip(map.functions()).filter(|(index, _)| map.counts(FunctionId(*index)));
    for (_, function) in counted.filter(|(_, function)| function.line != 0) {
        for block in function.blocks.clone() {
            let is_first = block == function.blocks.start;
            let is_executed = executed[block as usize];
            let own = map.lines(&map.blocks()[block as usize]).iter().copied();
            for line in own.chain(is_first.then_some(function.line)) {
                let known = lines.entry((Arc::clone(&function.file), line));
                known.or_insert_with(|| (Arc::clone(&function.name), false)).1 |= is_executed;
            }
        }
    }
    let line = |((file, line), (function, is_executed))| Line { file, function, line, is_executed };
    lines.into_iter().map(line).collect()
}

/// Returns for each block, by number, true if control flow reached it.
pub(crate) fn executed(map: &ProgramMap, coverage: &Coverage, start: &str) -> Vec<bool> {
    let mut entries = HashMap::<&str, Vec<BlockId>>::new();
    for function in map.functions().iter().filter(|function| !function.blocks.is_empty()) {
        entries.entry(&function.name).or_default().push(BlockId(function.blocks.start));
    }
    let mut executed = vec![false; map.blocks().len()];
    let mut waiting: Vec<BlockId> = entries.get(start).cloned().unwrap_or_default();
    // The block of a branch with a taken side was executed, and with it the start of its function.
    for (index, block) in map.blocks().iter().enumerate() {
        if map.flows(block).iter().any(|flow| is_taken(map, coverage, flow.decided_by) == Some(true)) {
            waiting.push(BlockId(index as u32));
            waiting.push(BlockId(map.function(FunctionId(block.function.0)).blocks.start));
        }
    }
    while let Some(id) = waiting.pop() {
        if std::mem::replace(&mut executed[id.index()], true) {
            continue;
        }
        let block = &map.blocks()[id.index()];
        for flow in map.flows(block) {
            if is_taken(map, coverage, flow.decided_by).unwrap_or(true) {
                waiting.push(flow.to);
            }
        }
        for call in map.calls(block) {
            waiting.extend(entries.get(&*call.callee).into_iter().flatten());
        }
    }
    executed
}

/// True if a run took the side that decides a flow; `None` if nothing decides it.
fn is_taken(map: &ProgramMap, coverage: &Coverage, side: Option<(tine_trace::event::Site, u16)>) -> Option<bool> {
    let (site, side_index) = side?;
    let site = map.site(site)?;
    match site.kind {
        SiteKind::Branch | SiteKind::Switch => Some(coverage.has_edge(Edge(site.first_edge.0 + u32::from(side_index)))),
        // The side of a check on which the run continues.
        SiteKind::Check | SiteKind::Assume if side_index != site.failing => None,
        SiteKind::Check | SiteKind::Assume => Some(false),
        _ => None,
    }
}
