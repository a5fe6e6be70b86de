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

/// Shares the jobs among strategies by the coverage that each has lately brought for its effort. All of them see every run, so that none
/// asks for what another has had. Who brought something goes on; else who is next is drawn, and who brings nothing for long
/// still gets a small part.
///
/// Generational search begins and has the largest part when nobody brings anything, as while inputs are rejected: on most
/// programs it brings most at first. What brings most later differs from program to program and from seed to seed. Depth first is the one for what is left when everything is
/// covered, or nothing new has come for long: its jobs cost least. Sequences of calls are its alone, because which states
/// come first matters there.
pub struct Auto {
    random: Random,
    members: Vec<Member>,
    /// The part that asked for the last job.
    asking: usize,
    /// Whose turn it is, for jobs of how much effort, and whether it has brought something.
    turn: usize,
    left: f64,
    has_gained: bool,
    /// Runs since the last that brought something.
    in_vain: u32,
    hopes: Option<Hopes>,
    costs: Option<Costs>,
    /// Jobs that depth first takes from the start of the tree, because the solver gave up on one from its depths.
    shallow: u32,
    /// The side that was asked for last, and the decisions before it.
    asked: Option<(Side, u32)>,
}

struct Member {
    strategy: Box<dyn Strategy>,
    /// Sides that it was the first to cover, and the effort of its jobs; both fade with each turn.
    gain: f64,
    effort: f64,
    /// The part it gets when it brings nothing.
    floor: f64,
}

/// Effort of one turn: a search that goes along a path needs some.
const TURN: f64 = 8.0;
/// What a job takes, where one that leads to a run takes 1: most questions without an answer are settled in a fraction of the time
/// of a run, and what the solver gives up on takes many.
const EFFORT_IN_VAIN: f64 = 0.125;
const EFFORT_GIVEN_UP: f64 = 8.0;
/// What remains of gain and jobs after a turn. Coverage comes in bursts: who is forgotten after a few turns in vain is not there
/// for the next.
const FADE: f64 = 0.95;
/// Runs without new coverage after which depth first gets half of all.
const LONG: f64 = 4000.0;
/// Jobs from the start of the tree after one that the solver gave up on: what is deeper still is hardly easier.
const SHALLOW: u32 = 64;
/// Depth first, and the strategy that begins: generational search.
const DFS: usize = 0;
const FIRST: usize = 1;

impl Auto {
    /// Parts that can be left out. Mutation and restarts are the explorer's.
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

    /// With the parts that `has` names.
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

    /// A job of whose turn it is took so much.
    fn spend(&mut self, effort: f64) {
        self.left -= effort;
        self.members[self.turn].effort += effort;
    }

    /// Ends a turn and decides whose is next.
    fn next_turn(&mut self, coverage: &Coverage, map: &ProgramMap) {
        let member = &mut self.members[self.turn];
        member.gain *= FADE;
        member.effort *= FADE;
        self.left = TURN;
        if coverage.n_covered() == map.n_alternatives() {
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
        let side = (node.site, branch.alternative);
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
            self.asked = Some(((node.site, branch.alternative), node.depth));
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

    /// Turns of each member, of 1000; `gains` says who brings something.
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

    /// Whoever asks for much that cannot be is asked more often, for that costs little.
    #[test]
    fn a_turn_has_many_questions_or_a_few_runs() {
        let explorer_map = crate::fake::map();
        let coverage = Coverage::new(&explorer_map);
        let tree = Tree::new(None);
        let jobs_of_a_turn = |why: Untaken| {
            let mut auto = Auto::new(5, Situation::default(), |_| true);
            let branch = OpenBranch { node: crate::tree::NodeId(0), alternative: 0 };
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
