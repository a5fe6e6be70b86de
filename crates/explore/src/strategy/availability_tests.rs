//! Tests every strategy on trees with any mixture of open, handed-out, postponed and closed sides. It must return an
//! open side exactly if there is one, in a bounded number of steps.

use tine_trace::event::{EventKind, PREFIX_HASH_START, Site};

use super::catalogue::{STRATEGIES, Situation, Spec};
use super::classic::weights::Weights;
use super::{Action, Added, Happened, Strategy, View};
use crate::coverage::Coverage;
use crate::fake::{Random, SITES, map};
use crate::job::{CaseId, Decision, Prefix};
use crate::map::ProgramMap;
use crate::tree::{Inserted, N_LOOKS, OpenBranch, Path, State, Tree, Untaken};

/// A tree with a strategy that was informed of all changes.
struct World {
    tree: Tree,
    map: ProgramMap,
    coverage: Coverage,
    strategy: Box<dyn Strategy>,
    n_cases: u32,
}

impl World {
    fn new(name: &str, by_calls: bool) -> World {
        let map = map();
        let strategy = Spec::parse(name).expect("a strategy").make(
            5,
            Weights::default(),
            Situation { by_calls, is_monitored: true },
        );
        World { tree: Tree::new(None), coverage: Coverage::new(&map), map, strategy, n_cases: 0 }
    }

    fn insert(&mut self, decisions: &[Decision]) {
        self.n_cases += 1;
        let (case, prefix) = (CaseId(self.n_cases), Prefix::Whole);
        let path = Path { case, size: 1, prefix, decisions, target: None, truncated: false };
        let inserted = self.tree.insert(&path, |_| None);
        self.tell(&inserted);
        self.tree.take_released();
    }

    fn tell(&mut self, inserted: &Inserted) {
        let World { tree, map, coverage, .. } = self;
        self.strategy.happened(&Happened::Ran(Added {
            inserted,
            own: true,
            is_slow: false,
            covered: &[],
            n_states: 0,
            tree,
            map,
            coverage,
        }));
    }

    /// The branch that the strategy chooses, whether it tries or postpones it.
    fn next(&mut self) -> Option<OpenBranch> {
        let World { tree, map, coverage, .. } = self;
        let choice = self.strategy.next(&View { tree, map, coverage, for_another: false, waiting: None })?;
        match choice.action {
            Action::Try(branch) | Action::Postpone(branch, _) => Some(branch),
            Action::Resume(_) | Action::Fresh(_) => panic!("{choice:?}"),
        }
    }

    fn open(&self) -> Vec<OpenBranch> {
        let of_node = |node| {
            let sides = 0..self.tree.node(node).n_sides;
            sides.map(move |side_index| OpenBranch { node, side_index })
        };
        self.tree.nodes().flat_map(of_node).filter(|branch| self.tree.is_open(*branch)).collect()
    }

    /// Closes, postpones or hands out an open side.
    fn close(&mut self, branch: OpenBranch, how: u64) {
        let why = match how {
            0 | 1 => return self.tree.put_off(branch),
            2 => None,
            3 => Some(Untaken::Infeasible),
            4 => Some(Untaken::Unknown),
            5 => Some(Untaken::Diverged),
            _ => Some(Untaken::Cut),
        };
        let flip = self.tree.hand_out(branch);
        if let Some(why) = why {
            self.tree.resolve(branch, why);
            self.strategy.happened(&Happened::Untaken { branch, why });
            self.tree.take_back(&flip);
            self.tree.take_released();
        }
    }
}

/// A path of a program whose next decision follows from the previous ones.
fn path(random: &mut Random, length: u64) -> Vec<Decision> {
    let mut before = PREFIX_HASH_START;
    let decisions = (0..length).map(|event| {
        let (kind, site, n_sides) = match before % 9 {
            0..5 => (EventKind::Branch, (before % 2) as u32, 2),
            5 => (EventKind::Switch, 3, SITES[3].1),
            6 => (EventKind::Choice, 2, 3),
            7 => (EventKind::Aliasing, 0, 5),
            _ => (EventKind::Failing, 1, 2),
        };
        let side_index = random.below(u64::from(n_sides)) as u16;
        let decision =
            Decision { kind, site: Site(site), side_index, n_sides, event: event as u32, before, distance: 0 };
        before = (before ^ u64::from(side_index)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17);
        decision
    });
    decisions.collect()
}

fn names() -> impl Iterator<Item = &'static str> {
    STRATEGIES.iter().map(|entry| entry.name).filter(|name| *name != "random-input")
}

#[test]
fn an_open_side_is_named_exactly_if_there_is_one() {
    for name in names() {
        for seed in 0..60 {
            let mut random = Random(seed);
            let mut world = World::new(name, seed % 2 == 0);
            for _ in 0..120 {
                match random.below(8) {
                    0 => {
                        let length = 1 + random.below(12);
                        world.insert(&path(&mut random, length));
                    }
                    // Another worker or another strategy takes it.
                    1..4 => {
                        let open = world.open();
                        if !open.is_empty() {
                            world.close(open[random.below(open.len() as u64) as usize], random.below(7));
                        }
                    }
                    _ => {
                        let open = world.open();
                        match world.next() {
                            Some(branch) => {
                                assert!(open.contains(&branch), "{name}, seed {seed}: {branch:?}");
                                world.close(branch, random.below(7));
                            }
                            None => assert_eq!(open, [], "{name}, seed {seed}"),
                        }
                    }
                }
            }
            // The strategy returns every remaining open side, and then `None`.
            for left in (0..world.open().len()).rev() {
                let branch = world.next().unwrap_or_else(|| panic!("{name}, seed {seed}: {left} more are open"));
                world.close(branch, random.below(7));
            }
            assert_eq!(world.next(), None, "{name}, seed {seed}");
        }
    }
}

/// A run of many decisions that are all expected to fail. `auto` postpones them one after the other.
#[test]
fn putting_off_a_long_path_takes_time_in_proportion_to_it() {
    const LENGTH: u64 = 3000;
    for name in names() {
        // Strategies that, as published, look at the whole last path do so again for each choice.
        let is_of_path = ["cfg", "probabilistic"].contains(&name);
        let mut world = World::new(name, false);
        let decisions: Vec<_> = (0..LENGTH as u32)
            .map(|event| Decision {
                kind: EventKind::Branch,
                site: Site(event % 2),
                side_index: 0,
                n_sides: 2,
                event,
                before: u64::from(event),
                distance: 0,
            })
            .collect();
        world.insert(&decisions);
        N_LOOKS.set(0);
        for _ in 0..LENGTH {
            let branch = world.next().expect("one is open");
            assert_eq!(world.tree.state(branch), State::Open);
            world.tree.put_off(branch);
        }
        assert_eq!(world.next(), None);
        let looks = N_LOOKS.get();
        let most = if is_of_path { LENGTH * LENGTH * 4 } else { LENGTH * 64 };
        assert!(looks < most, "{name}: {looks} looks at sides");
    }
}
