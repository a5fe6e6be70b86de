//! Several strategies on one tree.

use super::cost_limit::CostLimit;
use super::failure_limit::FailureLimit;
use super::random::Random;
use super::{
    Added, Cfg, Choice, Dfs, Generational, Happened, NearViolation, Priority, RandomBranch, RandomPath, RandomSearch,
    Rare, Situation, Strategy, Uncovered, View,
};
use crate::coverage::Coverage;
use crate::map::ProgramMap;
use crate::tree::Untaken;

/// Parts of [`auto`] that can be disabled. Mutation and restarts are done by the explorer.
pub const PARTS: &[&str] = &[
    "generational",
    "cfg",
    "random-branch",
    "random",
    "random-path",
    "priority",
    "rare",
    "uncovered",
    "spec",
    "failure-limit",
    "cost-limit",
    "mutation",
    "restarts",
];

/// The strategy `auto`, with those parts for which `has` returns true.
pub fn auto(seed: u64, situation: Situation, has: impl Fn(&str) -> bool) -> Box<dyn Strategy> {
    let mut strategy: Box<dyn Strategy> = Box::new(Shares::new(seed, situation, &has));
    if has("cost-limit") {
        strategy = Box::new(CostLimit::new(strategy));
    }
    if has("failure-limit") {
        strategy = Box::new(FailureLimit::new(strategy));
    }
    strategy
}

/// Shares the jobs among strategies by the recent coverage that each has brought for its effort. All of them see every
/// run, so that none chooses a branch that another has already tried. A strategy that brought something keeps its turn.
/// Otherwise the next one is drawn at random, and a strategy that brings nothing for long still gets a small share.
///
/// Generational search begins, and has the largest share when no strategy brings anything (for example while inputs are
/// rejected), because on most programs it brings most at first. Which strategy brings most later differs from program
/// to program and from seed to seed. Depth first gets the rest when everything is covered, or nothing new was covered
/// for long, because its jobs cost least. It is the only strategy for call sequences, because the order in which states
/// are reached matters there.
struct Shares {
    random: Random,
    members: Vec<Member>,
    /// The member whose turn it is. `left` is the remaining effort of the turn, and `has_gained` is true if the member
    /// brought something.
    turn: usize,
    left: f64,
    has_gained: bool,
    /// Runs since the last one that brought something.
    n_without_gain: u32,
    /// Number of jobs that depth first still takes from the start of the tree, because the solver gave up on a deep
    /// one.
    shallow: u32,
}

struct Member {
    strategy: Box<dyn Strategy>,
    /// Sides that the member was the first to cover, and the effort of its jobs. Both fade with each turn.
    gain: f64,
    effort: f64,
    /// Rate of a member that brings nothing.
    floor: f64,
}

/// Effort of one turn. A search that follows a path needs several jobs.
const TURN: f64 = 8.0;
/// Effort of other jobs, where a job with a run has effort 1. Most queries without a solution take a fraction of the
/// time of a run, and queries that the solver gives up on take the time of many runs.
const EFFORT_INFEASIBLE: f64 = 0.125;
const EFFORT_GIVEN_UP: f64 = 8.0;
/// Factor for gain and effort after each turn. Coverage comes in bursts: a strategy that is forgotten after a few turns
/// without success would not be available for the next burst.
const FADE: f64 = 0.95;
/// Number of runs without new coverage after which depth first gets half of all jobs.
const LONG: f64 = 4000.0;
/// Number of jobs from the start of the tree after one that the solver gave up on. Deeper branches are hardly easier.
const SHALLOW: u32 = 64;
/// Indices of depth first, and of the strategy that begins (generational search).
const DFS: usize = 0;
const FIRST: usize = 1;

impl Shares {
    fn new(seed: u64, situation: Situation, has: impl Fn(&str) -> bool) -> Shares {
        let Situation { by_calls, is_monitored } = situation;
        let member = |strategy: Box<dyn Strategy>, floor| Member { strategy, gain: 0.0, effort: 0.0, floor };
        let mut members = vec![member(Box::new(Dfs::new(by_calls)), 0.005)];
        if !by_calls {
            members.push(member(Box::new(Generational::new(false)), 0.05));
            members.push(member(Box::new(Cfg::new(seed ^ 1, false)), 0.02));
            members.push(member(Box::new(RandomBranch::new(seed ^ 2, RandomBranch::PATIENCE, false)), 0.02));
            members.push(member(Box::new(RandomSearch::new(seed ^ 3, false)), 0.01));
            members.push(member(Box::new(RandomPath::new(seed ^ 4, false)), 0.02));
            members.push(member(Box::new(Priority::new(seed ^ 5, 0, false)), 0.02));
            members.push(member(Box::new(Rare::new(seed ^ 6, false)), 0.04));
            members.push(member(Box::new(Uncovered::new(seed ^ 7, false)), 0.05));
        }
        if is_monitored {
            let near = NearViolation::new(seed ^ 8, NearViolation::SHARE, by_calls);
            members.push(member(Box::new(near), 0.2));
        }
        members.retain(|member| member.strategy.name() == "dfs" || has(member.strategy.name()));
        let turn = if by_calls { DFS } else { FIRST };
        Shares {
            random: Random::new(seed),
            members,
            turn,
            left: TURN,
            has_gained: false,
            n_without_gain: 0,
            shallow: 0,
        }
    }

    /// Records the effort of a job of the current member.
    fn spend(&mut self, effort: f64) {
        self.left -= effort;
        self.members[self.turn].effort += effort;
    }

    /// Ends a turn and selects the next member.
    fn next_turn(&mut self, coverage: &Coverage, map: &ProgramMap) {
        let member = &mut self.members[self.turn];
        member.gain *= FADE;
        member.effort *= FADE;
        self.left = TURN;
        if coverage.n_covered() == map.n_sides() {
            // No branch side is a goal any more, but violations of specifications are.
            let by_spec = self.members.iter().position(|member| member.strategy.name() == "spec");
            self.turn = by_spec.filter(|number| *number != self.turn).unwrap_or(DFS);
            return;
        }
        if std::mem::take(&mut self.has_gained) {
            return;
        }
        let patience = f64::from(self.n_without_gain) / LONG;
        let rate = |member: &Member| member.gain / (member.effort + 1.0) + member.floor;
        let others: f64 = self.members[1..].iter().map(rate).sum();
        let share = |number: usize, member: &Member| rate(member) + if number == DFS { patience * others } else { 0.0 };
        let total: f64 = self.members.iter().enumerate().map(|(number, member)| share(number, member)).sum();
        let mut drawn = self.random.unit() * total;
        for (number, member) in self.members.iter().enumerate() {
            drawn -= share(number, member);
            if drawn < 0.0 {
                self.turn = number;
                return;
            }
        }
        self.turn = DFS;
    }
    fn ran(&mut self, added: &Added<'_>) {
        if added.own {
            self.spend(1.0);
        }
        self.n_without_gain = self.n_without_gain.saturating_add(u32::from(added.own));
        for (number, member) in self.members.iter_mut().enumerate() {
            let own = added.own && number == self.turn;
            let gain = added.covered.len() + added.n_states;
            if own && gain > 0 {
                self.has_gained = true;
                self.n_without_gain = 0;
                member.gain += gain as f64;
            }
            member.strategy.happened(&Happened::Ran(Added { own, ..*added }));
        }
    }

    fn untaken(&mut self, why: Untaken) {
        self.spend(if why == Untaken::Unknown { EFFORT_GIVEN_UP } else { EFFORT_INFEASIBLE });
        if self.turn == DFS && why == Untaken::Unknown {
            self.shallow = SHALLOW;
        }
    }
}

impl Strategy for Shares {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn next(&mut self, view: &View<'_>) -> Option<Choice> {
        let mut view = *view;
        let number = if view.for_another {
            DFS
        } else {
            if self.left <= 0.0 {
                self.next_turn(view.coverage, view.map);
            }
            if self.turn == DFS && self.shallow > 0 {
                self.shallow -= 1;
                view.for_another = true;
            }
            self.turn
        };
        let member = &mut self.members[number].strategy;
        let choice = member.next(&view)?;
        Some(Choice { part: Some(member.name()), ..choice })
    }

    fn happened(&mut self, event: &Happened<'_>) {
        match event {
            Happened::Ran(added) => self.ran(added),
            Happened::Untaken { why, .. } => {
                self.untaken(*why);
                self.members[self.turn].strategy.happened(event);
            }
            Happened::Renumbered(_) => self.members.iter_mut().for_each(|member| member.strategy.happened(event)),
        }
    }
}

impl std::fmt::Debug for Shares {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shares = self.members.iter().map(|member| (member.strategy.name(), member.gain, member.effort));
        f.debug_list().entries(shares).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{NodeId, OpenBranch, Tree};

    /// Turns of each member, of 1000. `gains` returns true for members that bring something.
    fn turns(gains: impl Fn(usize) -> bool) -> Vec<u32> {
        let mut auto = Shares::new(5, Situation::default(), |_| true);
        let map = crate::fake::map();
        let coverage = Coverage::new(&map);
        let mut turns = vec![0u32; auto.members.len()];
        for _ in 0..1000 {
            auto.next_turn(&coverage, &map);
            turns[auto.turn] += 1;
            auto.members[auto.turn].effort += TURN;
            auto.n_without_gain += TURN as u32;
            if gains(auto.turn) {
                auto.members[auto.turn].gain += 4.0;
                (auto.has_gained, auto.n_without_gain) = (!turns[auto.turn].is_multiple_of(5), 0);
            }
        }
        turns
    }

    #[test]
    fn members_with_gain_get_more_turns() {
        for best in 1..9 {
            let turns = turns(|number| number == best);
            assert!(turns[best] > 600, "{best}: {turns:?}");
            assert!(turns.iter().all(|count| *count > 0), "each member has turns: {turns:?}");
        }
    }

    /// A member with many infeasible queries gets more jobs per turn, because these are cheap.
    #[test]
    fn a_turn_has_many_questions_or_a_few_runs() {
        let map = crate::fake::map();
        let coverage = Coverage::new(&map);
        let tree = Tree::new(None);
        let jobs_of_a_turn = |why: Untaken| {
            let mut auto = Shares::new(5, Situation::default(), |_| true);
            let branch = OpenBranch { node: NodeId(0), side_index: 0 };
            let mut n_jobs = 0;
            let view = View { tree: &tree, map: &map, coverage: &coverage, for_another: false, waiting: None };
            auto.next(&view);
            while auto.left > 0.0 {
                auto.happened(&Happened::Untaken { branch, why });
                n_jobs += 1;
            }
            n_jobs
        };
        assert_eq!([Untaken::Infeasible, Untaken::Unknown].map(jobs_of_a_turn), [64, 1]);
    }

    #[test]
    fn without_gain_depth_first_gets_most_turns() {
        let turns = turns(|_| false);
        assert!(turns[DFS] > 350, "{turns:?}");
        assert!(turns.iter().all(|count| *count > 1), "each member has turns: {turns:?}");
    }
}
