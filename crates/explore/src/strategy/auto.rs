//! Several strategies on one tree.

use super::random::Random;
use super::{Added, Cfg, Dfs, Generational, RandomBranch, RandomSearch, Strategy};
use crate::coverage::Coverage;
use crate::map::ProgramMap;
use crate::tree::{OpenBranch, Renumbered, Tree, Untaken};

/// Shares the runs among strategies by the coverage that each has lately brought. All of them see every run, so that none
/// asks for what another has had. Who is next is drawn; who brings nothing for long still gets a small part.
///
/// Depth first is the one for what is left when everything is covered: its runs cost least. Sequences of calls are its alone,
/// because which states come first matters there.
pub struct Auto {
    random: Random,
    members: Vec<Member>,
    /// Whose turn it is, and for how many more jobs.
    turn: usize,
    left: u32,
}

struct Member {
    strategy: Box<dyn Strategy>,
    /// Sides that it was the first to cover, and its runs; both fade with each turn.
    gain: f64,
    runs: f64,
    /// The part it gets when it brings nothing.
    floor: f64,
}

/// Jobs of one turn: a search that goes along a path needs some.
const TURN: u32 = 8;
/// What remains of gain and runs after a turn.
const FADE: f64 = 0.7;

impl Auto {
    pub fn new(seed: u64, by_calls: bool) -> Auto {
        let member = |strategy: Box<dyn Strategy>, floor| Member { strategy, gain: 1.0, runs: 1.0, floor };
        let mut members = vec![member(Box::new(Dfs::new(by_calls)), 0.02)];
        if !by_calls {
            members.push(member(Box::new(Cfg::new(seed ^ 1, false)), 0.01));
            members.push(member(Box::new(Generational::new(false)), 0.01));
            members.push(member(Box::new(RandomBranch::new(seed ^ 2, RandomBranch::PATIENCE, false)), 0.01));
            members.push(member(Box::new(RandomSearch::new(seed ^ 3, false)), 0.01));
        }
        Auto { random: Random::new(seed), members, turn: 0, left: TURN }
    }

    /// Ends a turn and draws whose is next.
    fn next_turn(&mut self, coverage: &Coverage, map: &ProgramMap) {
        let member = &mut self.members[self.turn];
        member.gain *= FADE;
        member.runs *= FADE;
        self.left = TURN;
        self.turn = 0;
        if coverage.n_covered() == map.n_alternatives() {
            return;
        }
        let share = |member: &Member| member.gain / (member.runs + 1.0) + member.floor;
        let mut drawn = self.random.unit() * self.members.iter().map(share).sum::<f64>();
        for (number, member) in self.members.iter().enumerate() {
            drawn -= share(member);
            if drawn < 0.0 {
                self.turn = number;
                return;
            }
        }
    }
}

impl Strategy for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn next(&mut self, tree: &Tree, map: &ProgramMap, coverage: &Coverage) -> Option<OpenBranch> {
        if self.left == 0 {
            self.next_turn(coverage, map);
        }
        self.left -= 1;
        self.members[self.turn].strategy.next(tree, map, coverage)
    }

    fn renumbered(&mut self, renumbered: &Renumbered<'_>) {
        for member in &mut self.members {
            member.strategy.renumbered(renumbered);
        }
    }

    fn inserted(&mut self, added: &Added<'_>) {
        for (number, member) in self.members.iter_mut().enumerate() {
            let own = number == self.turn;
            if own {
                member.runs += 1.0;
                member.gain += added.covered.len() as f64;
            }
            member.strategy.inserted(&Added { own, ..*added });
        }
    }

    fn untaken(&mut self, branch: OpenBranch, why: Untaken) {
        self.members[self.turn].strategy.untaken(branch, why);
    }
}

impl std::fmt::Debug for Auto {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shares = self.members.iter().map(|member| (member.strategy.name(), member.gain, member.runs));
        f.debug_list().entries(shares).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_brings_coverage_gets_more_turns() {
        let mut auto = Auto::new(5, false);
        let map = crate::fake::map();
        let coverage = Coverage::new(&map);
        let mut turns = vec![0; auto.members.len()];
        for _ in 0..1000 {
            auto.next_turn(&coverage, &map);
            turns[auto.turn] += 1;
            auto.members[auto.turn].runs += f64::from(TURN);
            // Only this one ever finds something.
            auto.members[auto.turn].gain += if auto.turn == 2 { 4.0 } else { 0.0 };
        }
        assert!(turns[2] > 600, "{turns:?}");
        assert!(turns.iter().all(|count| *count > 3), "nobody is forgotten: {turns:?}");
    }
}
