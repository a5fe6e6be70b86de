//! Terms are discarded when there are too many, and jobs still give the same results.

use std::ops::ControlFlow;
use std::sync::Arc;

use tine_executor::unit::UnitOptions;
use tine_executor::{Cases, LocalExecutor, Places, Shapes};
use tine_explore::{Executor, Flip, Job, JobResult, ProgramMap, Run};
use tine_trace::op::Op;
use tine_types::Input;

use crate::support::{build, limits, start};

/// Number of jobs in one batch.
const AT_ONCE: usize = 8;

/// An executor of `terms.c` whose seeds are all values of `x`.
fn executor() -> LocalExecutor {
    let program = build("terms", &[&format!("-DEQ={}", Op::Eq as u32), &format!("-DAND={}", Op::And as u32)]);
    let unit = start(&program, &[], UnitOptions::default());
    let map = Arc::new(ProgramMap::parse(&[], &[]).expect("no module, no map"));
    let (places, shapes, cases) = (Places::of(&program), Shapes::default(), Arc::new(Cases::default()));
    let solver = tine_solver::Options::default();
    let mut executor = LocalExecutor::new(unit, map, places, shapes, limits(), solver, cases).expect("a solver");
    executor.set_seeds((0..=u8::MAX).map(|x| Input::of_requests(vec![vec![x], vec![0; 4]])).collect());
    executor
}

fn execute(executor: &mut LocalExecutor, jobs: &[Job]) -> Vec<Run> {
    let mut runs = Vec::new();
    executor.execute_all(jobs, &mut |result, _| {
        let result = result.expect("a result");
        let JobResult::Ran(run) = result else { panic!("{result:?}") };
        runs.push(*run);
        ControlFlow::Continue(())
    });
    assert_eq!(runs.len(), jobs.len());
    runs
}

fn seeds() -> Vec<Job> {
    (0..256).map(Job::Seed).collect()
}

#[test]
fn several_jobs_at_once_mind_the_bound() {
    let (mut free, mut bounded) = (executor(), executor());
    let seeds = seeds();
    execute(&mut bounded, &seeds[..AT_ONCE]);
    let of_a_batch = bounded.n_terms();
    let bound = 2 * of_a_batch;
    bounded.set_max_terms(bound);
    for jobs in seeds[AT_ONCE..].chunks(AT_ONCE) {
        execute(&mut bounded, jobs);
        assert!(bounded.n_terms() <= bound + of_a_batch, "{} terms", bounded.n_terms());
    }
    seeds.chunks(AT_ONCE).for_each(|jobs| drop(execute(&mut free, jobs)));
    assert!(free.n_terms() > 2 * (bound + of_a_batch), "there is something to forget: {} terms", free.n_terms());
}

/// A job that flips the last decision but `back` of a run.
fn other(run: &Run, back: usize) -> Job {
    let decision = &run.decisions[run.decisions.len() - 1 - back];
    Job::Flip(Flip {
        parent: run.case,
        decision: decision.event,
        side_index: 1 - decision.side_index,
        site: decision.site,
        before: decision.before,
    })
}

/// The inputs that jobs find which flip decisions of earlier runs.
fn come_to(executor: &mut LocalExecutor) -> Vec<Vec<Vec<u8>>> {
    let first = execute(executor, &seeds()[..AT_ONCE]);
    let [a, b, c, d] = [(1, 0), (2, 3), (7, 8), (5, 2)].map(|(run, back)| other(&first[run], back));
    // The third job has a run of its own, before which terms are discarded. After it, no job has its parent's terms any
    // more.
    let second = execute(executor, &[a, b, Job::Fresh(7), c, d]);
    // Terms that these runs recorded must belong to the current pool.
    executor.set_max_terms(usize::MAX);
    let third = execute(executor, &[1, 3, 4].map(|run| other(&second[run], 1)));
    let inputs = |run: &Run| {
        let inputs = executor.inputs(run.case).expect("a case");
        inputs.requests.iter().map(|input| input.bytes.clone()).collect()
    };
    second.iter().chain(&third).map(inputs).collect()
}

#[test]
fn jobs_come_to_the_same_whatever_was_forgotten() {
    let mut bounded = executor();
    bounded.set_max_terms(0);
    assert_eq!(come_to(&mut bounded), come_to(&mut executor()));
}
