//! A lease: one job and the subtree after it, which one executor explores on its own. A single short run does not
//! justify a message.
//!
//! ```text
//!   Flip ──▶ Ran ──▶ its decisions, the other sides, the last first ──▶ Ran, Unsat, … ──▶ until `go_on` says no
//! ```
//! The results after the first are answers in advance. The explorer that gave the lease still decides which jobs there
//! are, and uses the answers to the jobs that it selects.

use std::ops::ControlFlow;

use crate::explorer::feed::rejecting;
use crate::job::{Executor, Flip, Job, JobResult, Prefix, Run};
use crate::map::ProgramMap;

/// Maximum number of waiting decisions.
const MAX_WAITING: usize = 1 << 14;

/// Executes `job`, then the flips of the subtree after it. `take` receives each result with its flip (`None` for the
/// result of `job`), and decides whether to continue.
pub fn explore<E: Executor>(
    executor: &mut E,
    map: &ProgramMap,
    job: &Job,
    mut take: impl FnMut(Option<Flip>, &JobResult, &mut E) -> ControlFlow<()>,
) -> Result<(), E::Error> {
    let result = executor.execute(job)?;
    let first = match job {
        Job::Flip(flip) | Job::Retry(flip) => Some(flip),
        Job::Initial | Job::Seed(_) | Job::Fresh(_) | Job::Mutate(_) => None,
    };
    let mut waiting = Vec::new();
    add(&mut waiting, map, first, &result);
    let mut flow = take(None, &result, executor);
    while flow.is_continue()
        && let Some(flip) = waiting.pop()
    {
        let result = executor.execute(&Job::Flip(flip))?;
        add(&mut waiting, map, Some(&flip), &result);
        flow = take(Some(flip), &result, executor);
    }
    Ok(())
}

/// Adds the sides that a run did not take, after the decision that it had to flip. A run that diverged belongs to
/// another subtree.
fn add(waiting: &mut Vec<Flip>, map: &ProgramMap, flip: Option<&Flip>, result: &JobResult) {
    let JobResult::Ran(run) = result else { return };
    if flip.is_some() && run.prefix != Prefix::Parent {
        return;
    }
    waiting.extend(sides(run, map, flip).take(MAX_WAITING.saturating_sub(waiting.len())));
}

fn sides(run: &Run, map: &ProgramMap, flip: Option<&Flip>) -> impl Iterator<Item = Flip> {
    let after = flip.map(|flip| flip.decision);
    let new = run.decisions.iter().filter(move |decision| after.is_none_or(|after| decision.event > after));
    new.flat_map(move |decision| {
        let rejecting = rejecting(map, decision);
        let others = (0..decision.n_sides).filter(move |side| *side != decision.side_index && Some(*side) != rejecting);
        others.map(move |side_index| Flip {
            parent: run.case,
            decision: decision.event,
            side_index,
            site: decision.site,
            before: decision.before,
        })
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::fake::{Fake, Random, map, random_program};

    /// All paths of a program, by a lease of the whole tree.
    fn leased(executor: &mut Fake, most: usize) -> usize {
        let mut n = 0;
        let go_on = |_: Option<Flip>, _: &JobResult, _: &mut Fake| {
            n += 1;
            if n < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        explore(executor, &map(), &Job::Initial, go_on).expect("it cannot fail");
        n
    }

    #[test]
    fn a_lease_of_the_whole_tree_runs_each_path_once() {
        let mut random = Random(7);
        for _ in 0..200 {
            let program = random_program(&mut random, 8, 5);
            let mut executor = Fake::new(8, program);
            executor.suffixes = true;
            let all: BTreeSet<_> = (0..8).map(|input| executor.trace(input)).collect();
            leased(&mut executor, usize::MAX);
            let ran: Vec<_> = executor.ran.iter().map(|input| executor.trace(*input)).collect();
            let distinct: BTreeSet<_> = ran.iter().cloned().collect();
            assert_eq!(ran.len(), distinct.len(), "a path ran twice");
            assert!(distinct.is_subset(&all));
            let accepted =
                |trace: &crate::fake::Trace| !trace.events.iter().any(|event| event.1 == crate::fake::ASSUME);
            assert!(all.iter().filter(|trace| accepted(trace)).all(|trace| distinct.contains(trace)));
        }
    }

    #[test]
    fn a_lease_ends_when_it_is_told_to() {
        let mut random = Random(3);
        let program = random_program(&mut random, 64, 9);
        let mut executor = Fake::new(64, program);
        executor.suffixes = true;
        let n = leased(&mut executor, usize::MAX);
        assert!(n > 5, "{n} results");
        let mut again = Fake::new(64, random_program(&mut Random(3), 64, 9));
        again.suffixes = true;
        assert_eq!(leased(&mut again, 5), 5);
        assert_eq!(again.jobs.len(), 5);
    }
}
