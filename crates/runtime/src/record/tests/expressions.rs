//! Operations one by one, and their simplifications.

use tine_trace::eval::{integer, mask};
use tine_trace::event::{ConcretiseReason, EventKind, NoteKind};
use tine_trace::op::{Op, Rounding};

use super::{Random, Run, binary, select, unary};

const BINARY: &[Op] = &[
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::UDiv,
    Op::SDiv,
    Op::URem,
    Op::SRem,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Shl,
    Op::LShr,
    Op::AShr,
    Op::Eq,
    Op::Ult,
    Op::Ule,
    Op::Slt,
    Op::Sle,
    Op::UMulO,
    Op::SMulO,
    Op::SAddO,
    Op::SSubO,
];

fn le(width: u32, value: u128) -> Vec<u8> {
    value.to_le_bytes()[..width.div_ceil(8) as usize].to_vec()
}

#[test]
fn binary_operations_mean_what_the_contract_says() {
    let mut random = Random(7);
    for &op in BINARY {
        for width in [1, 8, 13, 32, 64, 65, 128] {
            for round in 0..40 {
                let (a, b) = (random.value(width), random.value(width));
                let result_width = if op.shape().predicate { 1 } else { width };
                let value = |a, b| integer(op, result_width, width, a, b, 0).expect("an integer operation");
                let run = Run::new(&[le(width, a), le(width, b)]);
                let mut shadows = [run.symbolic(width).0, run.symbolic(width).0];
                match round % 4 {
                    0 => shadows[0] = 0,
                    1 => shadows[1] = 0,
                    2 => shadows[1] = shadows[0],
                    _ => {}
                }
                let b = if round % 4 == 2 { a } else { b };
                let node = binary(op, width, shadows, [a, b, value(a, b)]);
                if run.noted(NoteKind::Unsupported) > 0 {
                    assert!(
                        matches!(op, Op::Shl | Op::LShr | Op::AShr) && b >= width as u128 || b == 0,
                        "{op:?} {a} {b}"
                    );
                    continue;
                }
                for _ in 0..6 {
                    let other_a = if round % 4 == 0 { a } else { random.value(width) };
                    let other_b = match round % 4 {
                        1 => b,
                        2 => other_a,
                        _ => random.value(width),
                    };
                    let inputs = [le(width, other_a), le(width, other_b)];
                    let got = if node == 0 { value(a, b) } else { run.evaluate(node, &inputs) };
                    assert_eq!(got, value(other_a, other_b), "{op:?} {width} {shadows:?} {other_a:x} {other_b:x}");
                }
                if node != 0 {
                    assert_eq!((run.node(node).value(), run.node(node).width as u32), (value(a, b), result_width));
                }
            }
        }
    }
}

#[test]
fn widths_change_and_parts_join() {
    let mut random = Random(11);
    for _ in 0..300 {
        let input = random.bytes(8);
        let run = Run::new(std::slice::from_ref(&input));
        let (mut node, mut value) = run.symbolic(64);
        let mut width = 64;
        // A chain of extensions and extractions, also evaluated for other inputs.
        let others = random.bytes(8);
        let mut other = u64::from_le_bytes(others.clone().try_into().expect("8 bytes")) as u128;
        for _ in 0..6 {
            let (op, next, low) = match random.below(3) {
                0 => (Op::ZExt, width + random.below(129 - width as u64) as u32, 0),
                1 => (Op::SExt, width + random.below(129 - width as u64) as u32, 0),
                _ => {
                    let low = random.below(width as u64) as u32;
                    (Op::Extract, 1 + random.below((width - low) as u64) as u32, low)
                }
            };
            let step = |x: u128| integer(op, next, width, x, low as u128, 0).expect("an integer operation");
            (value, other) = (step(value), step(other));
            node = unary(op, next, low, node, value);
            width = next;
            if node == 0 {
                break; // no bit of the input is left
            }
        }
        if node != 0 {
            assert_eq!(run.node(node).width as u32, width);
            assert_eq!(run.evaluate(node, &[others]), other);
        } else {
            assert_eq!(value, other);
        }
    }
}

/// Nodes of a run with the inputs `x` (32 bits, 5) and `y` (32 bits, 6).
struct Pair {
    run: Run,
    x: u32,
    y: u32,
}

fn pair() -> Pair {
    let run = Run::new(&[le(32, 5), le(32, 6)]);
    let (x, y) = (run.symbolic(32).0, run.symbolic(32).0);
    Pair { run, x, y }
}

#[test]
fn the_same_expression_is_one_node() {
    let Pair { run, x, y } = pair();
    let sum = binary(Op::Add, 32, [x, y], [5, 6, 11]);
    let n = run.n_nodes();
    assert_eq!(binary(Op::Add, 32, [x, y], [5, 6, 11]), sum);
    assert_eq!(run.n_nodes(), n);
}

#[test]
fn neutral_operands_make_no_node() {
    let Pair { run, x, .. } = pair();
    let n = run.n_nodes();
    let all = u32::MAX as u128;
    for (op, b, r, expected) in [
        (Op::Add, 0, 5, x),
        (Op::Sub, 0, 5, x),
        (Op::Mul, 1, 5, x),
        (Op::Mul, 0, 0, 0),
        (Op::And, all, 5, x),
        (Op::And, 0, 0, 0),
        (Op::Or, 0, 5, x),
        (Op::Or, all, all, 0),
        (Op::Xor, 0, 5, x),
        (Op::Shl, 0, 5, x),
        (Op::UDiv, 1, 5, x),
        (Op::URem, 1, 0, 0),
        (Op::Ult, 0, 0, 0),
        (Op::Ule, all, 1, 0),
    ] {
        assert_eq!(binary(op, 32, [x, 0], [5, b, r]), expected, "{op:?} {b}");
    }
    assert_eq!(binary(Op::Sub, 32, [x, x], [5, 5, 0]), 0);
    assert_eq!(binary(Op::Eq, 32, [x, x], [5, 5, 1]), 0);
    assert_eq!(run.n_nodes(), n);
}

#[test]
fn a_condition_widened_and_compared_is_the_condition() {
    let Pair { run, x, y } = pair();
    let less = binary(Op::Ult, 32, [x, y], [5, 6, 1]);
    let wide = unary(Op::ZExt, 32, 0, less, 1);
    assert_eq!(binary(Op::Eq, 32, [wide, 0], [1, 1, 1]), less);
    let not = binary(Op::Eq, 32, [wide, 0], [1, 0, 0]);
    assert_eq!((run.node(not).op(), run.node(not).a), (Some(Op::Not), less));
    assert_eq!(binary(Op::Xor, 1, [not, 0], [0, 1, 1]), less);
    assert_eq!(binary(Op::Eq, 32, [0, wide], [7, 1, 0]), 0, "never 7");
}

#[test]
fn selects() {
    let Pair { run, x, y } = pair();
    let less = binary(Op::Ult, 32, [x, y], [5, 6, 1]);
    assert_eq!(select(1, [less, 0, 0], [1, 0, 1]), less);
    assert_eq!(select(32, [less, 0, 0], [9, 9, 9]), 0, "both the same");
    assert_eq!(select(32, [less, x, x], [5, 5, 5]), x);
    let smaller = select(32, [less, x, y], [5, 6, 5]);
    assert_eq!(run.evaluate(smaller, &[le(32, 9), le(32, 4)]), 4);
    let not = binary(Op::Xor, 1, [less, 0], [1, 1, 0]);
    assert_eq!(select(32, [not, y, x], [6, 5, 5]), smaller);
}

#[test]
fn a_shadow_with_another_value_is_stale() {
    let Pair { run, x, .. } = pair();
    assert_eq!(binary(Op::Add, 32, [x, 0], [4, 1, 5]), 0);
    assert_eq!(run.noted(NoteKind::Stale), 1);
}

#[test]
fn a_shift_by_too_much_has_no_expression() {
    let Pair { run, x, .. } = pair();
    assert_eq!(binary(Op::Shl, 32, [x, 0], [5, 32, 5]), 0);
    assert_eq!(run.noted(NoteKind::Unsupported), 1);
}

#[test]
fn floats_keep_the_machines_result() {
    let run = Run::new(&[1.5f64.to_le_bytes().to_vec()]);
    let (x, bits) = run.symbolic(64);
    let two = 2.0f64.to_bits() as u128;
    let sum = binary(Op::FAdd, 64, [x, 0], [bits, two, 3.5f64.to_bits() as u128]);
    assert_eq!(run.node(sum).value(), 3.5f64.to_bits() as u128);
    assert_eq!(run.evaluate(sum, &[4.0f64.to_le_bytes().to_vec()]), 6.0f64.to_bits() as u128);
    let less = binary(Op::FLt, 64, [sum, 0], [3.5f64.to_bits() as u128, two, 0]);
    assert_eq!((run.node(less).width, run.node(less).value()), (1, 0));
    let integer = unary(Op::FToS, 32, 0, sum, 3);
    assert_eq!((run.node(integer).width, run.node(integer).value()), (32, 3));
    let rounded = unary(Op::FRound, 64, Rounding::Down as u32, sum, 3.0f64.to_bits() as u128);
    assert_eq!((run.node(rounded).a, run.node(rounded).b), (sum, Rounding::Down as u32));
    let nan = unary(Op::FIsNan, 64, 0, sum, 0);
    assert_eq!(run.node(nan).width, 1);
}

#[test]
fn a_float_out_of_range_is_concretised() {
    let run = Run::new(&[1e20f64.to_le_bytes().to_vec()]);
    let (x, _) = run.symbolic(64);
    assert_eq!(unary(Op::FToS, 32, 0, x, 1 << 31), 0);
    let event = run.events()[0];
    assert_eq!(
        (event.kind, event.node, event.aux),
        (EventKind::Concretise as u8, x, ConcretiseReason::FloatRange as u32)
    );
}

#[test]
fn the_bits_of_a_nan_are_concretised() {
    let run = Run::new(&[f32::INFINITY.to_le_bytes().to_vec()]);
    let (x, bits) = run.symbolic(32);
    let difference = binary(Op::FSub, 32, [x, x], [bits, bits, 0xffc0_0000]);
    assert_ne!(difference, 0);
    assert_eq!(unary(Op::Extract, 8, 24, difference, 0xff), 0);
    let event = run.events()[0];
    assert_eq!((event.node, event.aux), (difference, ConcretiseReason::NanBits as u32));
    // The bits of an input are known, also for a NaN.
    let run2 = {
        drop(run);
        Run::new(&[f32::NAN.to_le_bytes().to_vec()])
    };
    let (x, bits) = run2.symbolic(32);
    assert_ne!(unary(Op::Extract, 8, 24, x, bits >> 24 & mask(8)), 0);
    assert_eq!(run2.events().len(), 0);
}

#[test]
fn parts_are_joined_by_concat() {
    let Pair { run, x, y } = pair();
    let value = 5u128 << 32 | 6;
    let joined = binary(Op::Concat, 64, [x, y], [5, 6, value]);
    assert_eq!(run.evaluate(joined, &[le(32, 1), le(32, 2)]), 1 << 32 | 2);
    assert_eq!(unary(Op::Extract, 32, 32, joined, 5), x);
    assert_eq!(unary(Op::Extract, 32, 0, joined, 6), y);
}

#[test]
fn predicates_are_those_of_the_list() {
    for &op in Op::ALL {
        assert_eq!(crate::record::term::is_predicate(op), op.shape().predicate, "{op:?}");
    }
}
