//! Several jobs at once: all are solved, then all inputs run, for one turn of the unit's process.
//!
//! If a worker shares its core with its unit, each turn takes two process switches, which cost as much as a short run.
//! So batches are for short runs on a shared core. Otherwise single jobs are better, because each one uses the results
//! of those before.

use std::rc::Rc;
use std::time::{Duration, Instant};

use tine_explore::{Done, Flip, Job, JobResult};
use tine_trace::batch::MAX_RUNS;
use tine_types::Input;

use super::finding::Found;
use super::{ExecutorError, LocalExecutor, bounded};
use crate::import::Trace;

/// Longest mean time of runs that count as short.
const SHORT: Duration = Duration::from_micros(200);
/// Weight of the past in the mean: each new run counts 1 in this many.
const MEMORY: u32 = 16;

/// Recent run time, which determines the size of batches.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// Mean time of recent runs; `None` before the first.
    mean: Option<Duration>,
    pub(super) shares_core: bool,
}

impl Pace {
    /// Records that `n` runs took this time together.
    pub(super) fn took(&mut self, time: Duration, n: usize) {
        let one = time / n.max(1) as u32;
        self.mean = Some(self.mean.map_or(one, |mean| (mean * (MEMORY - 1) + one) / MEMORY));
    }

    /// Best number of jobs for one batch.
    pub(super) fn batch(&self) -> usize {
        if self.shares_core && self.mean.is_some_and(|mean| mean <= SHORT) { MAX_RUNS } else { 1 }
    }
}

/// A job of the batch in progress.
enum Underway {
    Planned(Input, Option<(Rc<Trace>, Flip)>),
    /// No run, or a run outside the batch.
    Other(Result<Found, ExecutorError>),
}

impl LocalExecutor {
    pub(super) fn execute_batch(&mut self, jobs: &[Job], done: Done<'_, LocalExecutor>) {
        // Do this first: the results below refer to terms.
        if let Err(error) = self.bound_terms() {
            let _ = done(Err(error), self);
            return;
        }
        let underway: Vec<Underway> = jobs
            .iter()
            .map(|job| match self.find(job) {
                Ok(Found::Input(inputs, found_for)) => Underway::Planned(inputs, found_for),
                other => Underway::Other(other),
            })
            .collect();
        if let Err(error) = self.run_all(&underway) {
            let _ = done(Err(error), self);
            return;
        }
        let n_forgotten = self.n_forgotten;
        let mut number = 0;
        for job in underway {
            // A parent whose terms were discarded meanwhile cannot be used.
            let lasts = self.n_forgotten == n_forgotten;
            let result = match job {
                Underway::Planned(planned, found_for) => {
                    let is_over = self.unit.show(number);
                    number += 1;
                    self.conclude(planned, found_for.as_ref().filter(|_| lasts), is_over)
                }
                Underway::Other(Ok(Found::Hard(hard))) if !lasts => Ok(JobResult::GaveUp(hard.why)),
                Underway::Other(Ok(found)) => self.run_found(found),
                Underway::Other(Err(error)) => Err(error),
            };
            if done(bounded(result), self).is_break() {
                break;
            }
        }
    }

    /// Runs the planned inputs. [`Unit::show`] tells which of them have finished.
    fn run_all(&mut self, underway: &[Underway]) -> Result<(), ExecutorError> {
        if self.endless.most(0) != 0 {
            // Each run has its own limit on inputs.
            self.unit.forget_batch();
            return Ok(());
        }
        let inputs = underway.iter().filter_map(|job| match job {
            Underway::Planned(planned, _) => Some(planned),
            Underway::Other(_) => None,
        });
        self.forget_earlier_coverage();
        self.limits.max_inputs = 0;
        let start = Instant::now();
        let n_over = self.unit.run_batch(inputs, &self.limits)?;
        if n_over > 0 {
            self.pace.took(start.elapsed(), n_over);
        }
        Ok(())
    }

    fn conclude(
        &mut self,
        planned: Input,
        found_for: Option<&(Rc<Trace>, Flip)>,
        is_over: bool,
    ) -> Result<JobResult, ExecutorError> {
        let parent = found_for.map(|(trace, flip)| (&**trace, flip));
        let ran = if is_over { self.look(planned, parent, self.limits) } else { self.observe_planned(planned, parent) };
        bounded(ran.and_then(|ran| Ok(JobResult::Ran(Box::new(self.recorded(ran, parent)?)))))
    }
}
