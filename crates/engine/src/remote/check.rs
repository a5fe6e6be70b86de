//! Checks of a worker's answer that need no run: it is about the requested flip, and within the bounds of the program.

use tine_explore::map::Edge;
use tine_explore::{Decision, Flip, JobResult, Prefix, ProgramMap, Run};
use tine_trace::event::{EventKind, PREFIX_HASH_START, Site, prefix_hash};
use tine_types::Input;

use super::Answer;
use crate::types::InputTypes;

/// Maximum size of an input in bytes.
const MAX_INPUT: u32 = 64 << 20;

/// Checks the answer to `flip`. Fails with the reason why it cannot be correct.
pub(super) fn check(
    answer: &Answer,
    flip: Option<&Flip>,
    map: &ProgramMap,
    types: &InputTypes,
) -> Result<(), &'static str> {
    let JobResult::Ran(run) = &answer.result else {
        return if flip.is_some() { Ok(()) } else { Err("an input was not run") };
    };
    let input = answer.input.as_ref().ok_or("a run without its input")?;
    of_input(input, types)?;
    path(run, flip, map)?;
    if let Some(evidence) = &answer.evidence {
        edges(&evidence.covers, map)?;
    }
    edges(&run.new_edges, map)
}

fn of_input(input: &Input, types: &InputTypes) -> Result<(), &'static str> {
    if !input.objects.values().all(|object| types.has(object.element.ty)) {
        return Err("an input of a type that the program does not have");
    }
    if input.bytes_kept() > MAX_INPUT { Err("an input that is too large") } else { Ok(()) }
}

/// Checks that the decisions form one path: the hash chain starts at the parent's hash and links each decision to the
/// next.
fn path(run: &Run, flip: Option<&Flip>, map: &ProgramMap) -> Result<(), &'static str> {
    match (run.prefix, flip, run.decisions.first()) {
        (Prefix::Parent, None, _) | (Prefix::Parent, Some(_), None) => return Err("a path that begins nowhere"),
        (Prefix::Parent, Some(flip), Some(first)) => {
            let (answered, asked) = (
                (first.event, first.site, first.before, first.side_index),
                (flip.decision, flip.site, flip.before, flip.side_index),
            );
            if answered != asked {
                return Err("a path that is not the one that was asked for");
            }
        }
        (Prefix::Whole, _, Some(first)) if first.event == 0 && first.before != PREFIX_HASH_START => {
            return Err("a path whose hash begins wrongly");
        }
        (Prefix::Whole, ..) => {}
    }
    for decision in &run.decisions {
        if decision.side_index >= decision.n_sides {
            return Err("a branch side that does not exist");
        }
        if decision.site != Site::NONE && map.site(decision.site).is_none() {
            return Err("a place that the program does not have");
        }
    }
    for pair in run.decisions.windows(2) {
        if pair[1].event <= pair[0].event {
            return Err("decisions in another order than that of the path");
        }
        if after(&pair[0]).is_some_and(|hash| pair[1].event == pair[0].event + 1 && pair[1].before != hash) {
            return Err("a path whose hash does not match its decisions");
        }
    }
    Ok(())
}

/// Hash after a decision. `None` for an aliasing choice, whose hash depends on numbers of the unit.
fn after(decision: &Decision) -> Option<u64> {
    let Decision { kind, site, side_index, before, .. } = *decision;
    (kind != EventKind::Aliasing).then(|| prefix_hash(before, kind as u8, site.0, side_index))
}

fn edges(edges: &[Edge], map: &ProgramMap) -> Result<(), &'static str> {
    if edges.iter().all(|edge| edge.index() < map.n_edges()) {
        Ok(())
    } else {
        Err("coverage of code that the program does not have")
    }
}

/// True if two runs ended the same way and took the same path, as far as both report it.
pub(super) fn agree(one: &Run, other: &Run) -> bool {
    let place = |decision: &Decision| (decision.event, decision.site, decision.side_index, decision.before);
    let same_end = (one.end.kind, one.end.code, one.end.site) == (other.end.kind, other.end.code, other.end.site);
    let (long, short) = if one.decisions.len() >= other.decisions.len() { (one, other) } else { (other, one) };
    let start = long.decisions.len() - short.decisions.len();
    let same_path = long.decisions[start..].iter().map(place).eq(short.decisions.iter().map(place));
    same_end && same_path
}

#[cfg(test)]
mod tests {
    use tine_explore::fake::{END, Fake, Program, map};
    use tine_explore::{Executor as _, Job};

    use super::*;

    fn answer() -> (Answer, Flip) {
        let inner = Program::Decide(1, vec![0, 0, 1, 1], vec![END, END]);
        let mut executor = Fake::new(4, Program::Decide(0, vec![0, 1, 1, 1], vec![END, inner]));
        executor.suffixes = true;
        let first = executor.execute(&Job::Initial).expect("it cannot fail");
        let run = first.run().expect("a run");
        let Decision { site, before, event, .. } = run.decisions[0];
        let flip = Flip { parent: run.case, decision: event, side_index: 1, site, before };
        let result = executor.execute(&Job::Flip(flip)).expect("it cannot fail");
        (Answer { flip: None, result, input: Some(Input::default()), evidence: None }, flip)
    }

    fn checked(change: impl FnOnce(&mut Run)) -> Result<(), &'static str> {
        let (mut answer, flip) = answer();
        let JobResult::Ran(run) = &mut answer.result else { panic!("it ran") };
        change(run);
        check(&answer, Some(&flip), &map(), &InputTypes::default())
    }

    #[test]
    fn answers_that_cannot_be_true_are_recognised() {
        assert_eq!(checked(|_| {}), Ok(()));
        assert!(checked(|run| run.decisions[0].side_index = 0).is_err());
        assert!(checked(|run| run.decisions[0].before ^= 1).is_err());
        assert!(checked(|run| run.decisions[1].before ^= 1).is_err());
        assert!(checked(|run| run.decisions[1].event = 0).is_err());
        assert!(checked(|run| run.decisions[1].side_index = 7).is_err());
        assert!(checked(|run| run.decisions[1].site = Site(99)).is_err());
        assert!(checked(|run| run.decisions.clear()).is_err());
        assert!(checked(|run| run.new_edges.push(Edge(9999))).is_err());
    }

    #[test]
    fn a_run_without_its_input_is_no_answer() {
        let (mut answer, flip) = answer();
        answer.input = None;
        assert!(check(&answer, Some(&flip), &map(), &InputTypes::default()).is_err());
        answer.result = JobResult::Unsat;
        assert!(check(&answer, Some(&flip), &map(), &InputTypes::default()).is_ok());
        assert!(check(&answer, None, &map(), &InputTypes::default()).is_err());
    }
}
