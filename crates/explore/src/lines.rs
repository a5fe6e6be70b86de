//! Lines of the user's functions, with the information whether some run executed them.
//!
//! Runs record the functions that they start and the sides of branches that they take, not lines. A block counts as
//! executed if control flow reaches it: from the start of its function, along a taken side, or after an executed block.
//! Code after a call that never returned, or after a check that always failed, also counts as executed.

use std::collections::BTreeMap;
use std::sync::Arc;

use tine_trace::map::SiteKind;

use crate::coverage::Coverage;
use crate::map::{BlockId, Edge, Function, FunctionId, ProgramMap};

/// A line with code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub file: Arc<str>,
    pub function: Arc<str>,
    pub line: u32,
    pub is_executed: bool,
    /// A run without errors executed it.
    pub is_passed: bool,
}

/// All lines with code of the user's functions, by file and number.
pub fn lines(map: &ProgramMap, coverage: &Coverage) -> Vec<Line> {
    let (executed, passed) = (executed(map, coverage), executed(map, coverage.passing()));
    let mut lines = BTreeMap::<(Arc<str>, u32), Line>::new();
    let counted = (0..).zip(map.functions()).filter(|(index, _)| map.counts(FunctionId(*index)));
    for (_, function) in counted.filter(|(_, function)| function.line != 0) {
        for block in function.blocks.clone() {
            let is_first = block == function.blocks.start;
            let own = map.lines(&map.blocks()[block as usize]).iter().copied();
            for line in own.chain(is_first.then_some(function.line)) {
                let (file, function) = (Arc::clone(&function.file), Arc::clone(&function.name));
                let known = lines.entry((Arc::clone(&file), line));
                let known =
                    known.or_insert_with(|| Line { file, function, line, is_executed: false, is_passed: false });
                known.is_executed |= executed[block as usize];
                known.is_passed |= passed[block as usize];
            }
        }
    }
    lines.into_values().collect()
}

/// Returns for each block, by number, true if control flow reached it.
pub(crate) fn executed(map: &ProgramMap, coverage: &Coverage) -> Vec<bool> {
    let mut executed = vec![false; map.blocks().len()];
    let has_started = |function: &&Function| function.entry.is_some_and(|entry| coverage.has_edge(entry));
    let started = map.functions().iter().filter(|function| !function.blocks.is_empty()).filter(has_started);
    let mut waiting: Vec<BlockId> = started.map(|function| BlockId(function.blocks.start)).collect();
    // The block of a branch with a taken side was executed.
    for (index, block) in map.blocks().iter().enumerate() {
        if map.flows(block).iter().any(|flow| is_taken(map, coverage, flow.decided_by) == Some(true)) {
            waiting.push(BlockId(index as u32));
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
