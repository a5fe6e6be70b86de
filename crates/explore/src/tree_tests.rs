//! Paths that contradict the tree.

use tine_trace::event::{EventKind, Site};

use crate::job::{CaseId, Decision, Prefix};
use crate::tree::{OpenBranch, Path, Tree};

/// The paths of a nondeterministic unit are inserted, and contradictions are detected.
#[test]
fn contradictions_are_divergences() {
    let decision = |site, event, side_index| Decision {
        kind: EventKind::Branch,
        site: Site(site),
        side_index,
        n_sides: 2,
        event,
        before: u64::from(event),
        distance: 0,
    };
    let mut tree = Tree::new(None);
    let mut insert = |case, decisions: &[Decision], truncated| {
        let path = Path { case: CaseId(case), size: 0, prefix: Prefix::Whole, decisions, target: None, truncated };
        let inserted = tree.insert(&path, |_| None);
        (inserted.new, inserted.divergence.is_some())
    };
    assert_eq!(insert(1, &[decision(0, 0, 0), decision(1, 1, 0)], false), (true, false));
    assert_eq!(insert(2, &[decision(0, 0, 0), decision(1, 1, 0)], false), (false, false), "the same again");
    assert_eq!(insert(3, &[decision(0, 0, 0), decision(2, 1, 0)], false), (true, true), "another site");
    assert_eq!(insert(4, &[decision(0, 0, 0), decision(2, 1, 0)], false), (false, false), "that again");
    assert_eq!(insert(5, &[decision(0, 0, 0)], false), (true, true), "ends earlier");
    assert_eq!(insert(6, &[decision(0, 0, 0)], false), (false, true), "that again");
    assert_eq!(insert(7, &[decision(0, 0, 0)], true), (false, false), "cut off, so it may");
    assert_eq!(insert(8, &[decision(0, 0, 0), decision(1, 1, 0), decision(1, 2, 1)], false), (true, true), "goes on");
    // Event 1 is a concretisation whose value differs from run to run.
    assert_eq!(insert(9, &[decision(0, 0, 1), decision(1, 2, 0)], false), (true, false));
    assert_eq!(insert(10, &[decision(0, 0, 1), decision(2, 2, 0)], false), (true, false), "after another value");
    assert_eq!(insert(11, &[decision(0, 0, 1), decision(1, 2, 0), decision(3, 3, 0)], false), (true, false), "goes on");
    assert_eq!(insert(12, &[decision(0, 0, 1), decision(2, 2, 0), decision(2, 3, 0)], false), (true, false));
    assert_eq!(insert(13, &[decision(0, 0, 1), decision(1, 2, 0)], false), (false, false), "ends earlier");
}

/// A choice whose number of possibilities depends on the input is inserted as it is, and reported as a divergence.
#[test]
fn a_choice_that_grows_is_a_divergence() {
    let decision = |side_index, n_sides| Decision {
        kind: EventKind::Choice,
        site: Site::NONE,
        side_index,
        n_sides,
        event: 0,
        before: 1,
        distance: 0,
    };
    let mut tree = Tree::new(None);
    let first = [decision(0, 3)];
    let path =
        Path { case: CaseId(1), size: 0, prefix: Prefix::Whole, decisions: &first, target: None, truncated: false };
    let node = tree.insert(&path, |_| None).nodes().next().unwrap();
    for (side_index, n, diverges) in [(1, 3, false), (2, 4, true)] {
        let target = OpenBranch { node, side_index };
        let flip = tree.hand_out(target);
        assert_eq!((flip.decision, flip.side_index), (0, side_index));
        let decisions = [decision(side_index, n)];
        let case = CaseId(2 + u32::from(side_index));
        let path = Path {
            case,
            size: 0,
            prefix: Prefix::Parent,
            decisions: &decisions,
            target: Some(target),
            truncated: false,
        };
        let inserted = tree.insert(&path, |_| None);
        assert_eq!((inserted.new, inserted.divergence.is_some()), (true, diverges));
    }
    assert_eq!(tree.n_open(), 0);
}
