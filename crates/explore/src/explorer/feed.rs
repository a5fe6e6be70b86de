//! Results of jobs, passed to all parts of the exploration: tree, strategies, coverage, errors, reasons, counters.

use tine_trace::event::{EventKind, NoteKind, Site};
use tine_trace::map::{DRIVER_FILE, SiteKind};
use tine_trace::outcome::{ErrorKind, OutcomeKind};

use super::Explorer;
use crate::errors;
use crate::job::{Decision, Job, JobResult, Prefix, Run};
use crate::map::ProgramMap;
use crate::step::{Keep, Step, Ticket};
use crate::strategy::{Added, Happened};
use crate::tree::{Inserted, OpenBranch, Path, State, Untaken};

impl Explorer {
    /// Records the result of a job in all parts of the exploration.
    #[expect(clippy::needless_pass_by_value, reason = "a job is fed back once")]
    pub fn feed(&mut self, ticket: Ticket, result: &JobResult) -> Step {
        let mut step = self.take_in(&ticket, result);
        step.compacted = self.keep_small();
        step.released = self.tree.take_released();
        step
    }

    pub(super) fn take_in(&mut self, ticket: &Ticket, result: &JobResult) -> Step {
        let place = self.out.iter().position(|(number, _)| *number == ticket.number);
        let (_, target) = self.out.swap_remove(place.expect("a job is fed back once"));
        let given_up_before = target.filter(|_| matches!(ticket.job, Job::Retry(_)));
        let mut step = match result {
            JobResult::Ran(run) => self.feed_run(ticket, target, run),
            JobResult::Unsat => {
                self.untaken(ticket, target, Untaken::Infeasible);
                self.counters.infeasible += 1;
                Step::default()
            }
            JobResult::Assumed(requirement) => {
                let place = self.map.place(self.site_of(target));
                self.untaken(ticket, target, Untaken::Infeasible);
                self.requirements.add_use(requirement, &place);
                Step::default()
            }
            JobResult::Unknown(why) | JobResult::GaveUp(why) => {
                let site = self.site_of(target);
                self.untaken(ticket, target, Untaken::Unknown);
                self.counters.unknown += 1;
                self.reasons.add_unknown(site, why);
                Step::default()
            }
            JobResult::Bounded(what) => {
                let site = self.site_of(target);
                self.untaken(ticket, target, Untaken::Cut);
                self.reasons.add_bound(site, what);
                Step::default()
            }
        };
        if let Some(branch) = given_up_before {
            // The failed attempt was counted the first time.
            self.no_longer_unknown(branch);
        }
        match (&ticket.flip, &ticket.job, target, result) {
            (Some(flip), Job::Flip(_), Some(branch), JobResult::GaveUp(_)) => self.waiting.add_given_up(branch, *flip),
            (Some(flip), ..) => self.tree.take_back(flip),
            (None, ..) => {}
        }
        if step.ran.is_none() {
            self.mutations.was_in_vain();
        }
        let has_news = !step.new_coverage.is_empty() || !step.new_errors.is_empty();
        let is_fresh = target.is_none() && ticket.job != Job::Initial;
        // A job that was lost has taken a process with it.
        self.restarts.did(is_fresh, has_news, result.run().is_none_or(Run::is_slow));
        let chosen = self.chosen.entry(ticket.chosen_by).or_default();
        chosen.jobs += 1;
        chosen.runs += u64::from(step.ran.is_some());
        chosen.covered += step.new_coverage.len() as u64;
        chosen.errors += step.new_errors.len() as u64;
        step.target = target;
        step.seed = match ticket.job {
            Job::Seed(seed) => Some(seed),
            Job::Initial | Job::Fresh(_) | Job::Mutate(_) | Job::Flip(_) | Job::Retry(_) => None,
        };
        step
    }

    fn site_of(&self, branch: Option<OpenBranch>) -> Site {
        branch.map_or(Site::NONE, |branch| self.tree.node(branch.node).site)
    }

    fn feed_run(&mut self, ticket: &Ticket, target: Option<OpenBranch>, run: &Run) -> Step {
        self.counters.runs += 1;
        let before =
            target.filter(|_| run.prefix == Prefix::Parent).map_or(0, |branch| self.tree.node(branch.node).depth);
        let length = u64::from(before) + run.decisions.len() as u64;
        let mut step = Step { ran: Some((run.case, self.counters.runs)), ..Step::default() };
        // A run that diverged has no reliable state to compare.
        let followed = target.is_none() || run.prefix == Prefix::Parent;
        let known = if followed { self.states.first_known(&run.states) } else { None };
        let n_decisions = known.map_or(run.decisions.len(), |state| {
            run.decisions.iter().take_while(|decision| decision.event < state.event).count()
        });
        let path = Path {
            case: run.case,
            size: run.size,
            prefix: run.prefix,
            decisions: &run.decisions[..n_decisions],
            target,
            truncated: run.truncated() || known.is_some(),
        };
        self.tree.switch_to(ticket.worker);
        let map = &self.map;
        let inserted = match (target, run.prefix) {
            // Another run took the target first, and the subtree after it was folded.
            (None, Prefix::Parent) => self.tree.insert_known(run.case, run.size),
            _ => self.tree.insert(&path, |decision| rejecting(map, decision)),
        };
        step.new_coverage = self.coverage.add(&self.map, &run.new_edges, run.case);
        if errors::passes(&run.notes, &run.end, &self.map) {
            step.is_first_to_pass = self.coverage.add_passing(&self.map, &run.new_edges, run.case);
        }
        step.n_states = self.monitored.add(run);
        self.mutations.ran(matches!(ticket.job, Job::Mutate(_)), length, step.new_coverage.len());
        self.tell(ticket, &inserted, &step, run.is_slow());
        self.counters.deepest = self.counters.deepest.max(self.tree.last_path().len() as u32);
        let is_cut = run.end.kind == OutcomeKind::Unfinished
            || run.notes.iter().any(|note| note.kind == NoteKind::MemoryRefused);
        if inserted.divergence.is_some() && is_cut {
            // The run was stopped before it reached its target, or memory was refused to it, which the reasons state. It
            // did not diverge.
            self.untaken(ticket, target, Untaken::Cut);
        } else if let Some(divergence) = inserted.divergence {
            self.counters.divergences += 1;
            self.reasons.add_divergence(divergence.site);
            self.untaken(ticket, target, Untaken::Diverged);
            step.diverged = Some(divergence.site);
        }
        if run.rejected() {
            self.counters.rejected += 1;
        } else if inserted.new {
            self.counters.paths += 1;
            step.new_path = true;
        }
        self.counters.pruned += u64::from(known.is_some());
        self.reasons.add_run(run, inserted.cut, known.is_some());
        let required = run.requirement.as_ref().and_then(|required| Some((required, errors::ending(run, &self.map)?)));
        for mut seen in errors::of_run(run, &self.map) {
            if seen.kind == ErrorKind::Difference {
                seen.after = self.last_of_versions(run);
            }
            if required.as_ref().is_some_and(|(_, ending)| *ending == seen) {
                continue;
            }
            step.new_errors.extend(self.errors.add(seen, run.case, self.counters.runs));
        }
        if let Some((requirement, ending)) = required {
            step.new_requirement = self.requirements.add(requirement, ending, run.case).is_some();
        }
        let mut is_doubtful = false;
        for seen in errors::not_reproduced(run, &self.map) {
            is_doubtful |= self.unreproduced.add(seen, run.case, self.counters.runs).is_some();
        }
        step.kept = self.keep(run, &step, is_doubtful);
        step
    }

    /// The last branch of a run outside of the harness, which compares the versions, and of library functions. Checks are
    /// not branches.
    fn last_of_versions(&self, run: &Run) -> Option<(Site, u16)> {
        let mut side = run.decisions.last()?.side_index;
        for node in self.tree.last_path().iter().rev() {
            let node = self.tree.node(*node);
            let is_version = self.map.site(node.site).is_some_and(|site| {
                site.kind.covers()
                    && !site.file.ends_with(DRIVER_FILE)
                    && !self.map.function(site.function).is_library()
            });
            if is_version {
                return Some((node.site, side));
            }
            side = node.parent?.side_index;
        }
        None
    }

    fn keep(&self, run: &Run, step: &Step, is_doubtful: bool) -> Option<Keep> {
        if !step.new_errors.is_empty() {
            Some(Keep::Error)
        } else if step.new_requirement {
            Some(Keep::Requirement)
        } else if is_doubtful {
            Some(Keep::Unreproduced)
        } else if !step.new_coverage.is_empty() || step.is_first_to_pass || step.n_states > 0 {
            Some(Keep::Coverage)
        } else if step.new_path && self.counters.paths == 1 {
            Some(Keep::First)
        } else if self.settings.keep_all && !run.rejected() && step.new_path {
            Some(Keep::All)
        } else {
            None
        }
    }

    /// Reports a run to the strategies. The strategy of its worker gets all additions. The others get only the new
    /// coverage.
    fn tell(&mut self, ticket: &Ticket, inserted: &Inserted, step: &Step, is_slow: bool) {
        let nothing = Inserted { new_nodes: 0..0, ..inserted.clone() };
        for (number, strategy) in self.strategies.iter_mut().enumerate() {
            let is_workers = number == ticket.worker;
            if is_workers || !step.new_coverage.is_empty() {
                strategy.happened(&Happened::Ran(Added {
                    inserted: if is_workers { inserted } else { &nothing },
                    own: is_workers && ticket.asked == number,
                    is_slow,
                    covered: &step.new_coverage,
                    n_states: step.n_states,
                    tree: &self.tree,
                    map: &self.map,
                    coverage: &self.coverage,
                }));
            }
        }
    }

    fn untaken(&mut self, ticket: &Ticket, target: Option<OpenBranch>, why: Untaken) {
        if let Some(branch) = target {
            let is_again = self.tree.state(branch) == State::Unknown;
            self.tree.resolve(branch, why);
            if !is_again {
                self.strategies[ticket.asked].happened(&Happened::Untaken { branch, why });
            }
        }
    }
}

/// The side of a decision that only rejects the input. For an aliasing choice it is the last one: a value that points
/// to no object.
pub(crate) fn rejecting(map: &ProgramMap, decision: &Decision) -> Option<u16> {
    if decision.kind == EventKind::Aliasing {
        return decision.n_sides.checked_sub(1);
    }
    map.site(decision.site).filter(|site| site.kind == SiteKind::Assume).map(|site| site.failing)
}
