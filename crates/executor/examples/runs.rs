//! Runs per second of a program with one symbolic branch, layer by layer. `benches/run.sh` builds the program
//! (`benches/runs/branch.c`) and starts this example.
//!
//! ```text
//!   bare      the handshake with the worker: run, reset
//!   imported  and the trace read, every value in it recomputed
//!   flipped   and the input solved for first: the work of an exploration for each path, except for the tree
//! ```

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use tine_executor::unit::{Unit, UnitOptions};
use tine_executor::{LocalExecutor, Places, Shapes};
use tine_explore::{Executor, Flip, Job, JobResult, ProgramMap, Run};
use tine_trace::segment::{FLAG_RECORD, Limits};
use tine_types::Input;

const LIMITS: Limits = Limits {
    max_depth: u32::MAX,
    max_nodes: u32::MAX,
    max_events: u32::MAX,
    flags: FLAG_RECORD,
    memory: 1 << 30,
    fill_seed: 0,
    max_inputs: 0,
    unchecked: 0,
};

fn main() -> Result<(), Box<dyn Error>> {
    let usage = "usage: runs PROGRAM [RUNS]";
    let mut arguments = std::env::args_os().skip(1);
    let program = arguments.next().ok_or(usage)?;
    let n_runs: u32 = match arguments.next() {
        Some(text) => text.to_str().and_then(|text| text.parse().ok()).ok_or(usage)?,
        None => 100_000,
    };
    let program = Path::new(&program);
    let mut unit = Unit::start(program, &[], UnitOptions::default())?;
    measure("bare", n_runs, || {
        unit.run(&Input::default(), &LIMITS)?;
        Ok(())
    })?;

    let mut executor = executor(unit, program)?;
    measure("imported", n_runs, || {
        let case = ran(executor.execute(&Job::Initial)?)?.case;
        executor.release(case);
        Ok(())
    })?;

    let parent = ran(executor.execute(&Job::Initial)?)?;
    let decision = parent.decisions.first().ok_or("the program has no symbolic branch")?;
    let side_index = 1 - decision.side_index;
    let flip = Flip {
        parent: parent.case,
        decision: decision.event,
        side_index,
        site: decision.site,
        before: decision.before,
    };
    measure("flipped", n_runs, || {
        let case = ran(executor.execute(&Job::Flip(flip))?)?.case;
        executor.release(case);
        Ok(())
    })
}

fn executor(unit: Unit, program: &Path) -> Result<LocalExecutor, Box<dyn Error>> {
    let map = Arc::new(ProgramMap::parse(unit.maps(), unit.segment().modules())?);
    let solver = tine_solver::Options::default();
    Ok(LocalExecutor::new(unit, map, Places::of(program), Shapes::default(), LIMITS, solver, Arc::default())?)
}

fn ran(result: JobResult) -> Result<Run, Box<dyn Error>> {
    match result {
        JobResult::Ran(run) => Ok(*run),
        JobResult::Unsat => Err("unsat: the program's branch has one side only".into()),
        JobResult::Assumed(requirement) => Err(requirement.condition.to_string().into()),
        JobResult::Bounded(why) | JobResult::Unknown(why) | JobResult::GaveUp(why) => Err(why.into()),
    }
}

fn measure(name: &str, n_runs: u32, mut run: impl FnMut() -> Result<(), Box<dyn Error>>) -> Result<(), Box<dyn Error>> {
    for _ in 0..n_runs / 10 {
        run()?;
    }
    let start = Instant::now();
    for _ in 0..n_runs {
        run()?;
    }
    let time = start.elapsed();
    let per_run = time.as_secs_f64() / f64::from(n_runs);
    println!("{name:<10} {:>10.0} runs/s {:>8.1} µs/run", 1.0 / per_run, per_run * 1e6);
    Ok(())
}
