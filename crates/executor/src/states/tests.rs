//! Signatures of small hand-written runs.

use tine_trace::event::{Site, prefix_hash};
use tine_trace::plan::InputKind;
use tine_types::input::Request;

use super::*;

/// A hand-written run with 32-bit inputs without types.
#[derive(Default)]
struct Run {
    nodes: Vec<Node>,
    events: Vec<Event>,
    records: Vec<StateRecord>,
    n_inputs: u32,
}

impl Run {
    fn new() -> Run {
        Run { nodes: vec![Node::default()], ..Run::default() }
    }

    fn node(&mut self, op: Op, width: u16, [a, b, c]: [u32; 3], value: u64) -> u32 {
        self.nodes.push(Node { op: op as u8, flags: 0, width, a, b, c, value: [value, 0] });
        self.nodes.len() as u32 - 1
    }

    fn input(&mut self) -> u32 {
        self.n_inputs += 1;
        self.node(Op::Input, 32, [self.n_inputs - 1, 0, 0], 0)
    }

    fn constant(&mut self, value: u64) -> u32 {
        self.node(Op::Const, 32, [0; 3], value)
    }

    fn binary(&mut self, op: Op, a: u32, b: u32) -> u32 {
        let width = if op.shape().predicate { 1 } else { 32 };
        self.node(op, width, [a, b, 0], 0)
    }

    fn event(&mut self, kind: EventKind, node: u32, side_index: u16) {
        let before = self.events.last().map_or(PREFIX_HASH_START, |event| event.prefix_hash);
        let prefix_hash = prefix_hash(before, kind as u8, Site::NONE.0, side_index);
        self.events.push(Event { kind: kind as u8, side_index, node, prefix_hash, ..Event::default() });
    }

    /// Adds the path constraint that `a op b` is `holds`.
    fn know(&mut self, op: Op, a: u32, b: u32, holds: bool) {
        let condition = self.binary(op, a, b);
        self.event(EventKind::Branch, condition, u16::from(holds));
    }

    /// The state with these values.
    fn state(&mut self, values: &[u32]) -> Option<StateSeen> {
        self.records.clear();
        for value in values {
            self.records.push(StateRecord { hash: 7, cell: value << 4, len: 4, n_events: 0, whole: 0 });
        }
        let n_events = self.events.len() as u32;
        self.records.push(StateRecord { hash: 9, cell: 0, len: 3, n_events, whole: 1 });
        let seen = Request { name: "x".into(), kind: InputKind::Signed, bytes: vec![0; 4], choices: 0, ty: 0 };
        let inputs = Input { requests: vec![seen; self.n_inputs as usize], ..Input::default() };
        let states = States {
            shapes: &Shapes::default(),
            nodes: &self.nodes,
            events: &self.events,
            inputs: &inputs,
            owners: &[],
            records: &self.records,
        };
        states.signatures(None).pop()
    }
}

/// Key and constraints of the state whose values `make` returns.
fn signature(make: impl Fn(&mut Run) -> Vec<u32>) -> (u64, Vec<u64>) {
    let mut run = Run::new();
    let values = make(&mut run);
    let seen = run.state(&values).expect("a signature");
    assert_eq!((seen.calls_left, seen.event as usize), (3, run.events.len()));
    (seen.key, seen.constraints)
}

fn two(run: &mut Run) -> (u32, u32) {
    (run.input(), run.input())
}

#[test]
fn variables_have_no_names() {
    let first = signature(|run| vec![run.input()]);
    let second = signature(|run| {
        let (_, y) = two(run);
        vec![y]
    });
    assert_eq!(first, second);
    assert_ne!(first, signature(|run| vec![run.constant(0)]));
    // It matters whether two values are the same.
    let pair = signature(|run| {
        let (x, y) = two(run);
        vec![x, y]
    });
    let exchanged = signature(|run| {
        let (x, y) = two(run);
        vec![y, x]
    });
    let twice = signature(|run| {
        let x = run.input();
        vec![x, x]
    });
    assert_eq!(pair, exchanged);
    assert_ne!(pair, twice);
}

#[test]
fn expressions_count() {
    let of = |op, constant| {
        signature(move |run| {
            let x = run.input();
            let constant = run.constant(constant);
            vec![run.binary(op, x, constant)]
        })
    };
    assert_eq!(of(Op::Add, 1), of(Op::Add, 1));
    assert_ne!(of(Op::Add, 1), of(Op::Add, 2));
    assert_ne!(of(Op::Add, 1), of(Op::Sub, 1));
    let sum = signature(|run| {
        let constant = run.constant(1);
        let x = run.input();
        vec![run.binary(Op::Add, constant, x)]
    });
    assert_eq!(of(Op::Add, 1), sum);
}

#[test]
fn constraints_count_in_any_order() {
    let of = |conditions: &'static [(Op, usize, usize, bool)]| {
        signature(move |run| {
            let (x, y) = two(run);
            for (op, a, b, holds) in conditions {
                run.know(*op, [x, y][*a], [x, y][*b], *holds);
            }
            vec![x, y]
        })
    };
    let free = of(&[]);
    assert!(free.1.is_empty());
    let less = of(&[(Op::Slt, 0, 1, true)]);
    assert_eq!(free.0, less.0);
    assert_eq!(less.1.len(), 1);
    assert_ne!(less, of(&[(Op::Slt, 0, 1, false)]));
    assert_ne!(less, of(&[(Op::Slt, 1, 0, true)]));
    let both = of(&[(Op::Slt, 0, 1, true), (Op::Eq, 0, 1, false)]);
    assert_eq!(both, of(&[(Op::Eq, 1, 0, false), (Op::Slt, 0, 1, true)]));
    assert!(less.1.iter().all(|constraint| both.1.contains(constraint)));
}

#[test]
fn what_the_state_does_not_mention_goes_away_where_it_can() {
    let alone = signature(|run| vec![run.input()]);
    // No constraint links y to x.
    let unrelated = signature(|run| {
        let (x, y) = two(run);
        let five = run.constant(5);
        run.know(Op::Slt, y, five, true);
        vec![x]
    });
    assert_eq!(alone, unrelated);
    // y differs from x: such a y always exists.
    let differs = signature(|run| {
        let (x, y) = two(run);
        run.know(Op::Eq, x, y, false);
        vec![x]
    });
    assert_eq!(alone, differs);
    // y equals x: constraints on y hold for x.
    let replaced = signature(|run| {
        let (x, y) = two(run);
        let five = run.constant(5);
        run.know(Op::Eq, y, x, true);
        run.know(Op::Slt, y, five, true);
        vec![x]
    });
    let direct = signature(|run| {
        let (x, five) = (run.input(), run.constant(5));
        run.know(Op::Slt, x, five, true);
        vec![x]
    });
    assert_eq!(replaced, direct);
    // y < x implies that x is not the smallest number, so it stays.
    let less = signature(|run| {
        let (x, y) = two(run);
        run.know(Op::Slt, y, x, true);
        vec![x]
    });
    assert_eq!((less.0, less.1.len()), (alone.0, 1));
    // So does y != x if y must also be small.
    let both = signature(|run| {
        let (x, y) = two(run);
        let one = run.constant(1);
        run.know(Op::Eq, x, y, false);
        run.know(Op::Ult, y, one, true);
        vec![x]
    });
    assert_eq!(both.1.len(), 2);
}

#[test]
fn a_few_values_can_be_used_up() {
    let excluded = |n: u64| {
        signature(move |run| {
            let x = run.input();
            run.n_inputs += 1;
            // One byte.
            let y = run.node(Op::Input, 8, [run.n_inputs - 1, 0, 0], 0);
            let wide = run.node(Op::ZExt, 32, [y, 0, 0], 0);
            for k in 0..n {
                let k = run.constant(k);
                let value = run.binary(Op::Add, x, k);
                run.know(Op::Eq, wide, value, false);
            }
            vec![x]
        })
    };
    assert_eq!(excluded(255).1.len(), 0);
    assert_eq!(excluded(256).1.len(), 256);
}

#[test]
fn pointers_have_no_signature() {
    let mut run = Run::new();
    let x = run.input();
    run.event(EventKind::Aliasing, x, 0);
    assert_eq!(run.state(&[]), None);
    let mut run = Run::new();
    let object = run.node(Op::Input, 32, [OBJECT | 3, 0, 0], 0);
    assert_eq!(run.state(&[object]), None);
}
