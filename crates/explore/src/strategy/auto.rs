//! Several strategies on one tree.

use super::costs::Costs;
use super::hopes::{Hopes, Side};
use super::random::Random;
use super::{
    Added, Cfg, Dfs, Generational, NearViolation, Priority, PutOff, RandomBranch, RandomPath, RandomSearch, Rare,
    Situation, Strategy, Uncovered,
};
use crate::coverage::Coverage;
use crate::map::ProgramMap;
use crate::tree::{OpenBranch, Renumbered, Tree, Untaken};

/// Shares the jobs among strategies by the recent coverage that each has brought for its effort. All of them see every
/// run, so that none chooses a branch that another has already tried. A strategy that brought something keeps its turn.
/// Otherwise the next one is drawn at random, and a strategy that brings nothing for long still gets a small share.
///
/// Generational search begins, and has the largest share when no strategy brings anything (for example while inputs are
/// rejected), because on most programs it brings most at first. Which strategy brings most later differs from program
/// to program and from seed to seed. Depth first gets the rest when everything is covered, or nothing new was covered
/// for long, because its jobs cost least. It is the only strategy for call sequences, because the order in which states
/// are reached matters there.
pub struct Auto {
    random: Random,
    members: Vec<Member>,
    /// The member that chose the last job.
    asking: usize,
    /// The member whose turn it is. `left` is the remaining effort of the turn, and `has_gained` is true if the member
    /// brought something.
    turn: usize,
    left: f64,
    has_gained: bool,
    /// Runs since the last one that brought something.
    in_vain: u32,
    hopes: Option<Hopes>,
    costs: Option<Costs>,
    /// Number of jobs that depth first still takes from the start of the tree, because the solver gave up on a deep
    /// one.
    shallow: u32,
    /// The side that was chosen last, and the number of decisions before it.
    asked: Option<(Side, u32)>,
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
const EFFORT_IN_VAIN: f64 = 0.125;
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

impl Auto {
    /// Parts that can be disabled. Mutation and restarts are done by the explorer.
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
        "hopes",
        "costs",
        "mutation",
        "restarts",
    ];

    /// Creates the strategy with those parts for which `has` returns true.
    pub fn new(seed: u64, situation: Situation, has: impl Fn(&str) -> bool) -> Auto {
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
        Auto {
            random: Random::new(seed),
            members,
            asking: turn,
            turn,
            left: TURN,
            has_gained: false,
            in_vain: 0,
            hopes: has("hopes").then(Hopes::default),
            costs: has("costs").then(Costs::default),
            shallow: 0,
            asked: None,
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
            self.turn = DFS;
            return;
        }
        if std::mem::take(&mut self.has_gained) {
            return;
        }
        let patience = f64::from(self.in_vain) / LONG;
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
}

impl Strategy for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn asking(&self) -> &'static str {
        self.members[self.asking].strategy.name()
    }

    fn next(&mut self, tree: &Tree, map: &ProgramMap, coverage: &Coverage) -> Option<OpenBranch> {
        if self.left <= 0.0 {
            self.next_turn(coverage, map);
        }
        self.asking = self.turn;
        let member = &mut self.members[self.turn];
        if self.turn == DFS && self.shallow > 0 {
            self.shallow -= 1;
            return member.strategy.next_for_another(tree, map, coverage);
        }
        member.strategy.next(tree, map, coverage)
    }

    fn next_for_another(&mut self, tree: &Tree, map: &ProgramMap, coverage: &Coverage) -> Option<OpenBranch> {
        self.asking = DFS;
        self.members[DFS].strategy.next_for_another(tree, map, coverage)
    }

    fn puts_off(&mut self, branch: OpenBranch, tree: &Tree, map: &ProgramMap, coverage: &Coverage) -> PutOff {
        let node = tree.node(branch.node);
        let side = (node.site, branch.side_index);
        let wanted = map.side(side).is_some_and(|side| !coverage.is_covered(side));
        self.asked = Some((side, node.depth));
        if self.costs.as_ref().is_some_and(|costs| costs.is_too_expensive(branch, tree)) {
            PutOff::ForItsCost
        } else if self.hopes.as_mut().is_some_and(|hopes| hopes.passes(side, wanted)) {
            PutOff::ToTheEnd
        } else {
            PutOff::No
        }
    }

    fn affords(&mut self, branch: OpenBranch, tree: &Tree) -> bool {
        let affords = self.costs.as_ref().is_none_or(|costs| !costs.is_too_expensive(branch, tree));
        if affords {
            let node = tree.node(branch.node);
            self.asked = Some(((node.site, branch.side_index), node.depth));
        }
        affords
    }

    fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        for member in &mut self.members {
            member.strategy.renumbered(renumbered);
        }
    }

    fn inserted(&mut self, added: &Added<'_>) {
        let asked = self.asked.take().filter(|_| added.own);
        if let (Some((side, _)), Some(hopes)) = (asked, &mut self.hopes) {
            hopes.taken(side);
        }
        if let Some(costs) = &mut self.costs {
            costs.ran(added);
        }
        if added.own {
            self.spend(1.0);
        }
        self.in_vain = self.in_vain.saturating_add(u32::from(added.own));
        for (number, member) in self.members.iter_mut().enumerate() {
            let own = added.own && number == self.turn;
            let gain = added.covered.len() + added.n_states;
            if own && gain > 0 {
                self.has_gained = true;
                self.in_vain = 0;
                member.gain += gain as f64;
            }
            member.strategy.inserted(&Added { own, ..*added });
        }
    }

    fn untaken(&mut self, branch: OpenBranch, why: Untaken) {
        if let Some((side, depth)) = self.asked.take() {
            if let Some(hopes) = &mut self.hopes {
                hopes.untaken(side, why == Untaken::Unknown);
            }
            if let Some(costs) = &mut self.costs {
                costs.was_in_vain(depth);
            }
        }
        self.spend(if why == Untaken::Unknown { EFFORT_GIVEN_UP } else { EFFORT_IN_VAIN });
        if self.turn == DFS && why == Untaken::Unknown {
            self.shallow = SHALLOW;
        }
        self.members[self.turn].strategy.untaken(branch, why);
    }
}

impl std::fmt::Debug for Auto {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shares = self.members.iter().map(|member| (member.strategy.name(), member.gain, member.effort));
        f.debug_list().entries(shares).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns of each member, of 1000. `gains` returns true for members that bring something.
    fn turns(gains: impl Fn(usize) -> bool) -> Vec<u32> {
        let mut auto = Auto::new(5, Situation::default(), |_| true);
        let map = crate::fake::map();
        let coverage = Coverage::new(&map);
        let mut turns = vec![0u32; auto.members.len()];
        for _ in 0..1000 {
            auto.next_turn(&coverage, &map);
            turns[auto.turn] += 1;
            auto.members[auto.turn].effort += TURN;
            auto.in_vain += TURN as u32;
            if gains(auto.turn) {
                auto.members[auto.turn].gain += 4.0;
                (auto.has_gained, auto.in_vain) = (!turns[auto.turn].is_multiple_of(5), 0);
            }
        }
        turns
    }

    #[test]
    fn who_brings_coverage_gets_more_turns() {
        for best in 1..9 {
            let turns = turns(|number| number == best);
            assert!(turns[best] > 600, "{best}: {turns:?}");
            assert!(turns.iter().all(|count| *count > 0), "nobody is forgotten: {turns:?}");
        }
    }

    /// A member with many infeasible queries gets more jobs per turn, because these are cheap.
    #[test]
    fn a_turn_has_many_questions_or_a_few_runs() {
        let explorer_map = crate::fake::map();
        let coverage = Coverage::new(&explorer_map);
        let tree = Tree::new(None);
        let jobs_of_a_turn = |why: Untaken| {
            let mut auto = Auto::new(5, Situation::default(), |_| true);
            let branch = OpenBranch { node: crate::tree::NodeId(0), side_index: 0 };
            let mut n_jobs = 0;
            auto.next(&tree, &explorer_map, &coverage);
            while auto.left > 0.0 {
                auto.untaken(branch, why);
                n_jobs += 1;
            }
            n_jobs
        };
        assert_eq!([Untaken::Infeasible, Untaken::Unknown].map(jobs_of_a_turn), [64, 1]);
    }

    #[test]
    fn when_nobody_does_depth_first_goes_on() {
        let turns = turns(|_| false);
        assert!(turns[DFS] > 350, "{turns:?}");
        assert!(turns.iter().all(|count| *count > 1), "nobody is forgotten: {turns:?}");
    }
}
