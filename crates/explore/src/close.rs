//! Uncovered sides of branches that runs reached. Counts and describes the attempts to take them.

use tine_trace::event::Site;

use crate::explorer::Explorer;
use crate::map::SideId;
use crate::reasons::{Reason, UNDECIDED, Verdict, bounds, verdict};
use crate::tree::{OpenBranch, State};

/// Results for one side, as numbers of paths that reached its branch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tries {
    /// The side is infeasible.
    pub infeasible: u64,
    /// The solver did not decide.
    pub unknown: u64,
    /// A run that was computed for the side diverged.
    pub diverged: u64,
    /// A bound excluded the side.
    pub cut: u64,
    /// Not tried yet.
    pub open: u64,
}

impl Tries {
    fn is_none(&self) -> bool {
        *self == Tries::default()
    }
}

/// An uncovered side of a reached branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Close {
    pub side: SideId,
    pub tries: Tries,
    /// Explanation for the user.
    pub why: String,
}

/// Number of lines before a branch in which a lost dependence on the input is likely to concern the branch's condition.
const NEAR: u32 = 100;

/// Returns all such sides in order of the program map. Walks the whole tree, so it is meant for the end of an
/// exploration.
pub fn close(explorer: &Explorer) -> Vec<Close> {
    let (map, coverage) = (explorer.map(), explorer.coverage());
    let tries = tries(explorer);
    let reasons = explorer.reasons();
    let within = within(&reasons);
    let mut found = Vec::new();
    for side in (0..map.n_sides() as u32).map(SideId) {
        let (id, _) = map.branch_side(side);
        let branch = map.branch(id);
        let reached = branch.sides().any(|side| coverage.is_covered(side));
        let tries = tries[side.index()];
        if coverage.is_covered(side) || !reached && tries.is_none() {
            continue;
        }
        let said = words(&tries, &within).map(|words| words + &named_here(&reasons, &tries, &branch.file, branch.line));
        let why = said.unwrap_or_else(|| fixed(&reasons, &within, &branch.file, branch.line));
        found.push(Close { side, tries, why });
    }
    found
}

/// Returns the bounds of a verdict that is *bounded*, for example ` within --max-elements and --max-string`.
fn within(reasons: &[Reason]) -> String {
    if verdict(reasons) != Verdict::Bounded {
        return String::new();
    }
    format!(" within {}", bounds(reasons).join(" and "))
}

/// Explains a side that was not a decision on any path: the condition was concrete, or earlier decisions implied it. If
/// the verdict is not *incomplete*, there are no other paths than those within the bounds.
fn fixed(reasons: &[Reason], within: &str, file: &str, line: u32) -> String {
    if verdict(reasons) != Verdict::Incomplete {
        return format!("no path{within} takes it");
    }
    let lost = nearest_loss(reasons, file, line);
    let lost = lost.map(|reason| format!("; {} ({}:{})", reason.what, reason.place.file, reason.place.line));
    let cut = Some(bounds(reasons).join(" and ")).filter(|bounds| !bounds.is_empty());
    let cut = cut.map(|bounds| format!("; {bounds} cut off other paths"));
    let said = "earlier conditions or concrete values fixed it on every path up to now";
    format!("{said}{}{}", lost.unwrap_or_default(), cut.unwrap_or_default())
}

fn words(tries: &Tries, within: &str) -> Option<String> {
    let paths = |n: u64| format!("{n} path{}", if n == 1 { "" } else { "s" });
    let parts = [
        (tries.open, format!("not tried yet on {}", paths(tries.open))),
        (tries.unknown, format!("the solver gave up on {}", paths(tries.unknown))),
        (tries.cut, format!("a bound kept it out of reach on {}", paths(tries.cut))),
        (tries.diverged, format!("runs that were to go there went elsewhere on {}", paths(tries.diverged))),
        (tries.infeasible, format!("infeasible{within} on {}", paths(tries.infeasible))),
    ];
    let said: Vec<String> = parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect();
    (!said.is_empty()).then(|| said.join(", "))
}

/// Returns the solver limit or bound that the verdict names for this line, for example ` (time limit:
/// --solver-timeout)`.
fn named_here(reasons: &[Reason], tries: &Tries, file: &str, line: u32) -> String {
    let is_meant = |reason: &&Reason| {
        let is_here = &*reason.place.file == file && reason.place.line == line;
        let is_solver = reason.what.starts_with(UNDECIDED);
        is_here && (tries.unknown > 0 && is_solver || tries.cut > 0 && reason.is_bound)
    };
    reasons.iter().find(is_meant).map_or_else(String::new, |reason| format!(" ({})", limit(&reason.what)))
}

/// The limit in the description of a reason, with the option that changes it.
fn limit(what: &str) -> &str {
    match what.strip_prefix(UNDECIDED) {
        Some("time limit") => "time limit: --solver-timeout",
        Some("memory limit") => "memory limit: --solver-memory",
        Some(why) => why,
        None => what.trim_start_matches("bound reached: "),
    }
}

/// Returns the last place before a line, in the same file, at which a value stopped depending on the input.
fn nearest_loss<'a>(reasons: &'a [Reason], file: &str, line: u32) -> Option<&'a Reason> {
    let is_near = |reason: &&Reason| {
        !reason.is_bound && &*reason.place.file == file && reason.place.line <= line && reason.place.line + NEAR > line
    };
    let lost = |reason: &&Reason| {
        let words = ["input flows into", "followed concretely", "not instrumented", "depends on the input"];
        words.iter().any(|word| reason.what.contains(word))
    };
    reasons.iter().filter(is_near).filter(lost).max_by_key(|reason| reason.place.line)
}

fn tries(explorer: &Explorer) -> Vec<Tries> {
    let (map, tree) = (explorer.map(), explorer.tree());
    let mut tries = vec![Tries::default(); map.n_sides()];
    let branch_of = |site: Site| map.site(site).and_then(|site| site.branch);
    for (site, side_index, in_vain) in tree.gone() {
        let side = branch_of(site).and_then(|branch| map.branch(branch).sides().nth(side_index as usize));
        if let (Some(side), true) = (side, in_vain) {
            tries[side.index()].infeasible += 1;
        }
    }
    for node in tree.nodes() {
        let view = tree.node(node);
        let Some(branch) = branch_of(view.site) else { continue };
        let sides = map.branch(branch).sides().take(view.n_sides as usize);
        for (side_index, side) in sides.enumerate() {
            let tries = &mut tries[side.index()];
            match tree.state(OpenBranch { node, side_index: side_index as u16 }) {
                State::Infeasible => tries.infeasible += 1,
                State::Unknown => tries.unknown += 1,
                State::Diverged => tries.diverged += 1,
                State::Cut | State::Dropped => tries.cut += 1,
                State::Open | State::PutOff | State::HandedOut => tries.open += 1,
                State::Taken(_) | State::Ended | State::Dead | State::Done => {}
            }
        }
    }
    tries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_words() {
        let tries = Tries { infeasible: 2, unknown: 1, open: 3, ..Tries::default() };
        let text = "not tried yet on 3 paths, the solver gave up on 1 path, infeasible on 2 paths";
        assert_eq!(words(&tries, "").as_deref(), Some(text));
        assert_eq!(words(&Tries::default(), ""), None);
        let cut = Tries { cut: 1, infeasible: 1, ..Tries::default() };
        let text = "a bound kept it out of reach on 1 path, infeasible within --depth on 1 path";
        assert_eq!(words(&cut, " within --depth").as_deref(), Some(text));
    }

    #[test]
    fn bounds_are_named() {
        let reason =
            |what: &str, is_bound| Reason { is_bound, what: what.to_owned(), place: crate::Place::unknown(), count: 1 };
        let mut reasons = vec![
            reason("bound reached: --max-elements", true),
            reason("bound reached: --memory, branches dropped from the execution tree", true),
            reason("bound reached: --memory, an allocation larger than that was refused", true),
            reason("depth bound reached", true),
        ];
        assert_eq!(within(&reasons), " within --max-elements and --memory and --depth");
        assert_eq!(fixed(&reasons[..1], &within(&reasons[..1]), "a.c", 3), "no path within --max-elements takes it");
        assert_eq!(fixed(&[], "", "a.c", 3), "no path takes it");
        assert_eq!(limit("solver could not decide: time limit"), "time limit: --solver-timeout");
        assert_eq!(limit("bound reached: --max-string"), "--max-string");
        reasons.push(reason("run diverged from its predicted path", false));
        assert_eq!(within(&reasons), "");
        let said = fixed(&reasons, "", "a.c", 3);
        assert!(said.ends_with("; --max-elements and --memory and --depth cut off other paths"), "{said}");
    }
}
