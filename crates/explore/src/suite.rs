//! A minimal set of cases that covers everything that all cases cover, and contains one case of each error. Cases with
//! errors replace no others: the rest alone covers everything that cases without errors cover. The set is found by a
//! heuristic.
//!
//! Greedy: the case that covers most of the remaining sides is selected next. The result is never far from the minimum.
//! On the few cases that were kept for a reason it is mostly the minimum.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use crate::job::CaseId;
use crate::map::SideId;

/// A case that was kept while exploring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub case: CaseId,
    /// The case is the first to show an error, so it stays.
    pub has_error: bool,
    /// All sides that it covers, not only the new ones.
    pub covers: Vec<SideId>,
}

/// The remaining cases, and for each covered side the first of them that takes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suite {
    pub cases: BTreeSet<CaseId>,
    pub sides: BTreeMap<SideId, CaseId>,
}

/// Minimises a set of cases. Without any coverage or error the first case stays, so that there is one.
pub fn minimised(candidates: &[Candidate]) -> Suite {
    let with_errors = candidates.iter().filter(|candidate| candidate.has_error).map(|candidate| candidate.case);
    let mut suite = Suite { cases: with_errors.collect(), ..Suite::default() };
    let passing: Vec<&Candidate> = candidates.iter().filter(|candidate| !candidate.has_error).collect();
    let mut left: BTreeSet<SideId> = passing.iter().flat_map(|candidate| &candidate.covers).copied().collect();
    // The gain of a candidate never grows. A candidate that has the largest old count, and still has it when counted
    // again, is the best one.
    let mut by_gain: BinaryHeap<(usize, Reverse<usize>)> =
        passing.iter().enumerate().map(|(index, candidate)| (candidate.covers.len(), Reverse(index))).collect();
    while !left.is_empty() {
        // Prefer the earliest among equals, because its input is the simplest.
        let (counted, Reverse(index)) = by_gain.pop().expect("what is left is covered by someone");
        let gain = passing[index].covers.iter().filter(|side| left.contains(side)).count();
        if gain == counted {
            suite.cases.insert(passing[index].case);
            passing[index].covers.iter().for_each(|side| _ = left.remove(side));
        } else {
            by_gain.push((gain, Reverse(index)));
        }
    }
    if suite.cases.is_empty() {
        suite.cases.extend(candidates.first().map(|candidate| candidate.case));
    }
    for candidate in candidates.iter().filter(|candidate| suite.cases.contains(&candidate.case)) {
        for side in &candidate.covers {
            suite.sides.entry(*side).or_insert(candidate.case);
        }
    }
    suite
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(candidates: &[(u32, bool, &[u32])]) -> Vec<u32> {
        let candidate = |(case, has_error, covers): &(u32, bool, &[u32])| Candidate {
            case: CaseId(*case),
            has_error: *has_error,
            covers: covers.iter().copied().map(SideId).collect(),
        };
        let candidates: Vec<_> = candidates.iter().map(candidate).collect();
        let suite = minimised(&candidates);
        let every: BTreeSet<_> = candidates.iter().flat_map(|candidate| candidate.covers.clone()).collect();
        assert_eq!(suite.sides.keys().copied().collect::<BTreeSet<_>>(), every, "nothing is lost");
        assert!(suite.sides.values().all(|case| suite.cases.contains(case)));
        suite.cases.into_iter().map(|case| case.0).collect()
    }

    #[test]
    fn what_others_cover_goes() {
        assert_eq!(cases(&[(1, false, &[0]), (2, false, &[0, 1]), (3, false, &[0, 1, 2])]), [3]);
        assert_eq!(cases(&[(1, false, &[0, 1]), (2, false, &[1, 2]), (3, false, &[2, 3])]), [1, 3]);
        assert_eq!(cases(&[(1, false, &[0]), (2, false, &[0])]), [1], "the earliest among equals");
    }

    #[test]
    fn errors_stay_and_replace_no_other_case() {
        assert_eq!(cases(&[(1, false, &[0, 1]), (2, true, &[0, 2]), (3, true, &[0])]), [1, 2, 3]);
        assert_eq!(cases(&[(1, false, &[0]), (2, true, &[0, 1])]), [1, 2]);
        assert_eq!(cases(&[(1, true, &[0, 1])]), [1]);
    }

    /// Reference implementation: searches for the best candidate in every step.
    fn naive(candidates: &[Candidate]) -> BTreeSet<CaseId> {
        let mut left: BTreeSet<_> = candidates.iter().flat_map(|candidate| candidate.covers.clone()).collect();
        let mut cases = BTreeSet::new();
        while !left.is_empty() {
            let gain = |candidate: &&Candidate| candidate.covers.iter().filter(|side| left.contains(side)).count();
            let best = candidates.iter().rev().max_by_key(gain).expect("there is one");
            cases.insert(best.case);
            for side in &best.covers {
                left.remove(side);
            }
        }
        cases
    }

    #[test]
    fn old_counts_do_not_change_the_choice() {
        let mut random = crate::fake::Random(7);
        for _ in 0..200 {
            let candidates: Vec<_> = (1..=1 + random.below(30) as u32)
                .map(|case| {
                    let covers: BTreeSet<_> = (0..random.below(12)).map(|_| SideId(random.below(25) as u32)).collect();
                    Candidate { case: CaseId(case), has_error: false, covers: covers.into_iter().collect() }
                })
                .collect();
            if candidates.iter().any(|candidate| !candidate.covers.is_empty()) {
                assert_eq!(minimised(&candidates).cases, naive(&candidates));
            }
        }
    }

    #[test]
    fn there_is_always_a_case() {
        assert_eq!(cases(&[(4, false, &[]), (5, false, &[])]), [4]);
        assert_eq!(cases(&[]), []);
    }
}
