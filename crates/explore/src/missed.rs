//! Uncovered sides of the user's branches, and the known reasons.

use std::collections::HashSet;
use std::sync::Arc;

use tine_trace::event::Site;

use crate::explorer::Explorer;
use crate::map::{BranchKey, SideId};
use crate::reasons::Verdict;
use crate::tree::{OpenBranch, State};

/// An uncovered side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missed {
    pub side: SideId,
    pub why: Why,
}

/// Reason why a side was not covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// Infeasible. As certain as the verdict: unconditionally if the verdict is complete, within the bounds if it is
    /// bounded.
    Infeasible,
    /// No run reached the branch.
    NotReached,
    /// The branch was reached, and it is not known whether the side is feasible.
    Open,
}

/// Returns all uncovered sides in order of the program map. Walks the whole tree, so it is meant for the end of an
/// exploration.
pub fn missed(explorer: &Explorer) -> Vec<Missed> {
    let verdict = explorer.verdict();
    let tried = tried(explorer);
    // A complete exploration has seen every path of the functions it reached, so sides that are uncovered there are
    // infeasible.
    let reached: HashSet<_> = match verdict {
        Verdict::Complete => reached(explorer),
        Verdict::Bounded | Verdict::Incomplete => HashSet::new(),
    };
    let branch = |side: SideId| explorer.map().branch(explorer.map().branch_side(side).0);
    let is_reached = |side: SideId| reached.contains(&function_of(&branch(side).key));
    let is_passed = |side: SideId| branch(side).sides().any(|one| explorer.coverage().is_covered(one));
    let all = (0..explorer.map().n_sides() as u32).map(SideId);
    let missed = all.filter(|side| !explorer.coverage().is_covered(*side));
    missed
        .map(|side| {
            let why = match tried[side.index()] {
                _ if is_reached(side) => Why::Infeasible,
                Tried::Never if !is_passed(side) => Why::NotReached,
                // On every path something else fixed the condition. Within the bounds there are no other paths.
                Tried::Never | Tried::InVain if verdict != Verdict::Incomplete => Why::Infeasible,
                Tried::Never | Tried::InVain | Tried::Undecided => Why::Open,
            };
            Missed { side, why }
        })
        .collect()
}

/// File and name of a function.
type Function = (Arc<str>, Arc<str>);

fn function_of(key: &BranchKey) -> Function {
    (key.file.clone(), key.function.clone())
}

/// Functions in which some side was covered.
fn reached(explorer: &Explorer) -> HashSet<Function> {
    let shares = explorer.coverage().by_function(explorer.map());
    shares.into_iter().filter(|(_, share)| share.covered > 0).map(|(function, _)| function).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tried {
    Never,
    InVain,
    Undecided,
}

/// Results of the attempts to take each side, on the paths that reached its branch.
fn tried(explorer: &Explorer) -> Vec<Tried> {
    let (map, tree) = (explorer.map(), explorer.tree());
    let mut tried = vec![Tried::Never; map.n_sides()];
    let branch_of = |site: Site| map.site(site).and_then(|site| site.branch);
    for (site, side_index, in_vain) in tree.gone() {
        let Some(branch) = branch_of(site) else { continue };
        if let Some(side) = map.branch(branch).sides().nth(side_index as usize) {
            tried[side.index()] = if in_vain { Tried::InVain } else { Tried::Undecided };
        }
    }
    for node in tree.nodes() {
        let view = tree.node(node);
        let Some(branch) = branch_of(view.site) else { continue };
        let sides = map.branch(branch).sides().take(view.n_sides as usize);
        for (side_index, side) in sides.enumerate() {
            let tried = &mut tried[side.index()];
            match tree.state(OpenBranch { node, side_index: side_index as u16 }) {
                State::Infeasible if *tried == Tried::Never => *tried = Tried::InVain,
                State::Infeasible => {}
                _ => *tried = Tried::Undecided,
            }
        }
    }
    tried
}
