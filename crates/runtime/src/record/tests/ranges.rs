//! Facts about values that are found without solving: they hold for every input that takes the same path.

use tine_trace::eval::{integer, mask};
use tine_trace::op::Op;

use super::path::{branch, check};
use super::{Random, Run, binary, select, unary};
use crate::record::state;

/// A value of the run.
#[derive(Clone, Copy)]
struct Value {
    node: u32,
    width: u32,
    value: u128,
}

const OPERATIONS: [Op; 16] = [
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::UDiv,
    Op::URem,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Shl,
    Op::LShr,
    Op::Eq,
    Op::Ult,
    Op::Ule,
    Op::ZExt,
    Op::SExt,
    Op::Ite,
];

/// Adds a value computed from existing ones.
fn grow(random: &mut Random, values: &mut Vec<Value>) {
    let any = |random: &mut Random, values: &[Value]| values[random.below(values.len() as u64) as usize];
    let op = OPERATIONS[random.below(OPERATIONS.len() as u64) as usize];
    let a = any(random, values);
    // A constant every other time, often a small one.
    let b = match values.iter().rev().find(|b| b.width == a.width && b.node != a.node) {
        Some(b) if random.below(2) == 0 => *b,
        _ => Value { node: 0, width: a.width, value: random.value(a.width) },
    };
    let too_far = matches!(op, Op::Shl | Op::LShr) && b.value >= u128::from(a.width);
    let by_zero = matches!(op, Op::UDiv | Op::URem) && b.value == 0;
    if too_far || by_zero {
        return;
    }
    let (width, value, node) = match op {
        Op::ZExt | Op::SExt => {
            let width = if a.width == 1 { 8 } else { 64 };
            if a.width >= width {
                return;
            }
            let value = integer(op, width, a.width, a.value, 0, 0).expect("an extension");
            (width, value, unary(op, width, 0, a.node, value))
        }
        Op::Ite => {
            let Some(condition) = values.iter().rev().find(|value| value.width == 1).copied() else { return };
            let value = if condition.value != 0 { a.value } else { b.value };
            (a.width, value, select(a.width, [condition.node, a.node, b.node], [a.value, b.value, value]))
        }
        _ => {
            let is_predicate = matches!(op, Op::Eq | Op::Ult | Op::Ule);
            let width = if is_predicate { 1 } else { a.width };
            let value = integer(op, width, a.width, a.value, b.value, 0).expect("an operation on integers");
            (width, value, binary(op, a.width, [a.node, b.node], [a.value, b.value, value]))
        }
    };
    if node != 0 {
        values.push(Value { node, width, value: value & mask(width) });
    }
}

/// Random values over two bytes, with decisions about some of them. Their bounds hold for every other input with the
/// same decisions, and a check that is not logged fails for none of these inputs.
#[test]
fn bounds_hold_for_every_input_of_the_path() {
    let (mut n_narrow, mut n_left_out) = (0, 0);
    for seed in 1..400 {
        let mut random = Random(seed << 32 | 0x9e37_79b9);
        let bytes = random.bytes(2);
        let run = Run::new(&[vec![bytes[0]], vec![bytes[1]]]);
        let mut values: Vec<Value> =
            (0..2).map(|_| run.symbolic(8)).map(|(node, value)| Value { node, width: 8, value }).collect();
        let mut left_out = Vec::new();
        for round in 0..30 {
            grow(&mut random, &mut values);
            let last = values[values.len() - 1];
            if last.width == 1 && random.below(3) == 0 {
                branch(round, last.node, last.value != 0);
            } else if last.width == 1 {
                let before = run.events().len();
                check(round, last.node, last.value != 0);
                if run.events().len() == before {
                    left_out.push(last);
                }
            }
        }
        let recorder = state::owned();
        let bounds: Vec<_> = values.iter().map(|value| recorder.bounds(value.node)).collect();
        n_narrow +=
            bounds.iter().zip(&values).filter(|(bounds, value)| u128::from(bounds.most) < mask(value.width)).count();
        n_left_out += left_out.len();
        for _ in 0..200 {
            let mut inputs = [random.bytes(1), random.bytes(1)];
            // One of the bytes keeps its value, so that more inputs take the path.
            let kept = random.below(3) as usize;
            if kept < 2 {
                inputs[kept][0] = bytes[kept];
            }
            let same =
                |event: &tine_trace::event::Event| run.evaluate(event.node, &inputs) == u128::from(event.side_index);
            if !run.events().iter().all(same) {
                continue;
            }
            for (value, bounds) in values.iter().zip(&bounds) {
                let now = run.evaluate(value.node, &inputs);
                let inside = u128::from(bounds.least) <= now && now <= u128::from(bounds.most);
                assert!(inside, "seed {seed}: {now} is not within {bounds:?} of {:?}", run.node(value.node));
            }
            for condition in &left_out {
                assert_eq!(
                    run.evaluate(condition.node, &inputs),
                    condition.value,
                    "seed {seed}: {:?}",
                    run.node(condition.node)
                );
            }
        }
    }
    assert!(n_narrow > 1000 && n_left_out > 300, "{n_narrow} {n_left_out}");
}

/// Equal conditions have the same node: subtracted as by `strcmp`, extended as in C.
#[test]
fn equal_questions_are_one() {
    let run = Run::new(&[vec![43]]);
    let (x, value) = run.symbolic(8);
    let plain = binary(Op::Eq, 8, [x, 0], [value, 43, 1]);
    let wide = unary(Op::ZExt, 32, 0, x, value);
    let difference = binary(Op::Sub, 32, [wide, 0], [value, 43, 0]);
    assert_eq!(binary(Op::Eq, 32, [difference, 0], [0, 0, 1]), plain);
    let signed = unary(Op::SExt, 32, 0, x, value);
    assert_eq!(binary(Op::Eq, 32, [signed, 0], [value, 43, 1]), plain);
    assert_eq!(binary(Op::Eq, 32, [signed, 0], [value, 0x80, 0]), 0, "no byte is that as a signed number");
}

/// An address that depends on a condition is known when the condition is decided, at any distance.
#[test]
fn what_follows_from_decisions_is_known() {
    let run = Run::new(&[vec![1]]);
    let (x, value) = run.symbolic(8);
    let mut address = Value { node: 0, width: 64, value: 1000 };
    for round in 0..40u8 {
        let is = binary(Op::Eq, 8, [x, 0], [value, u128::from(round) + 5, 0]);
        let wide = unary(Op::ZExt, 64, 0, is, 0);
        let node = binary(Op::Add, 64, [address.node, wide], [address.value, 0, address.value]);
        address = Value { node, ..address };
        assert!(!state::owned().bounds(node).is_one(), "{round}");
        branch(u32::from(round), is, false);
        assert!(state::owned().is_decided(node), "{round}");
    }
}
