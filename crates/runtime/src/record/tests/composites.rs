//! Every composite compared with Rust's own arithmetic, for the run's inputs and for others.

use tine_trace::entry::{Composite, pack_composite};
use tine_trace::eval::{mask, signed};
use tine_trace::event::NoteKind;

use super::{Random, Run};
use crate::record::calls;

/// Result of the composite; `None` if it is undefined.
fn reference(composite: Composite, width: u32, [a, b, c]: [u128; 3]) -> Option<u128> {
    let (sa, sb) = (signed(width, a), signed(width, b));
    let (low, high) = (signed(width, 1 << (width - 1)), (mask(width) >> 1) as i128);
    let fits = |x: Option<i128>| x.is_some_and(|x| (low..=high).contains(&x));
    let saturated = |x: Option<i128>, negative: bool| match x {
        Some(x) if fits(Some(x)) => x as u128,
        _ => (if negative { low } else { high }) as u128,
    };
    let ufits = |x: Option<u128>| x.filter(|x| *x <= mask(width));
    let bits = |x: u128| (0..width).map(move |k| x >> k & 1);
    let unused = 128 - width;
    let result = match composite {
        Composite::UAddO => ufits(a.checked_add(b)).is_none() as u128,
        Composite::SAddO => !fits(sa.checked_add(sb)) as u128,
        Composite::USubO => (a < b) as u128,
        Composite::SSubO => !fits(sa.checked_sub(sb)) as u128,
        Composite::UAddSat => ufits(a.checked_add(b)).unwrap_or(mask(width)),
        Composite::SAddSat => saturated(sa.checked_add(sb), sa < 0),
        Composite::USubSat => a.saturating_sub(b),
        Composite::SSubSat => saturated(sa.checked_sub(sb), sa < 0),
        Composite::UShlSat | Composite::SShlSat if b >= width as u128 => return None,
        Composite::UShlSat => {
            let lost = b != 0 && a >> (width - b as u32) != 0;
            if lost { mask(width) } else { a << b }
        }
        Composite::SShlSat => {
            let back = signed(width, (sa << b) as u128 & mask(width)) >> b;
            if back == sa { (sa << b) as u128 } else { saturated(None, sa < 0) }
        }
        Composite::Abs => sa.unsigned_abs(),
        Composite::UMin => a.min(b),
        Composite::UMax => a.max(b),
        Composite::SMin => sa.min(sb) as u128,
        Composite::SMax => sa.max(sb) as u128,
        Composite::Bswap if !width.is_multiple_of(16) => return None,
        Composite::Bswap => a.swap_bytes() >> unused,
        Composite::BitReverse => a.reverse_bits() >> unused,
        Composite::CtPop => bits(a).sum(),
        Composite::CtLz => (a.leading_zeros() - unused) as u128,
        Composite::CtTz => a.trailing_zeros().min(width) as u128,
        Composite::FShl | Composite::FShr => {
            let shift = (c % width as u128) as u32;
            let left = composite == Composite::FShl;
            match (left, shift) {
                (true, 0) => a,
                (false, 0) => b,
                (true, _) => a << shift | b >> (width - shift),
                (false, _) => a << (width - shift) | b >> shift,
            }
        }
        _ if width == 32 => return float_reference(composite, a, b, |x| f32::from_bits(x as u32) as f64),
        _ if width == 64 => {
            return float_reference(composite, a, b, |x| f64::from_bits(x as u64)).map(|r| r & mask(64));
        }
        _ => return None,
    };
    Some(result & mask(if is_predicate(composite) { 1 } else { width }))
}

fn float_reference(composite: Composite, a: u128, b: u128, read: impl Fn(u128) -> f64) -> Option<u128> {
    let (x, y) = (read(a), read(b));
    let unordered = x.is_nan() || y.is_nan();
    let sign = if read(1 << 31) == 0.0 && read(1 << 31).is_sign_negative() { 1u128 << 31 } else { 1u128 << 63 };
    Some(match composite {
        Composite::FOrd => !unordered as u128,
        Composite::FUno => unordered as u128,
        Composite::FOne => (!unordered && x != y) as u128,
        Composite::FUeq => (unordered || x == y) as u128,
        Composite::FUlt => (unordered || x < y) as u128,
        Composite::FUle => (unordered || x <= y) as u128,
        Composite::FUne => (unordered || x != y) as u128,
        Composite::FMin | Composite::FMax if x.is_nan() && y.is_nan() => b,
        Composite::FMin | Composite::FMax if x.is_nan() => b,
        Composite::FMin | Composite::FMax if y.is_nan() || x == y => a,
        Composite::FMin => {
            if x < y {
                a
            } else {
                b
            }
        }
        Composite::FMax => {
            if x > y {
                a
            } else {
                b
            }
        }
        Composite::FCopySign => a & (sign - 1) | b & sign,
        _ => return None,
    })
}

fn is_predicate(composite: Composite) -> bool {
    use Composite::{FOne, FOrd, FUeq, FUle, FUlt, FUne, FUno, SAddO, SSubO, UAddO, USubO};
    matches!(composite, UAddO | SAddO | USubO | SSubO | FOrd | FUno | FOne | FUeq | FUlt | FUle | FUne)
}

fn operands_of(composite: Composite) -> usize {
    use Composite::{Abs, BitReverse, Bswap, CtLz, CtPop, CtTz, FShl, FShr};
    match composite {
        Abs | Bswap | BitReverse | CtPop | CtLz | CtTz => 1,
        FShl | FShr => 3,
        _ => 2,
    }
}

fn compose(composite: Composite, width: u32, shadows: [u32; 3], [a, b, c]: [u128; 3], r: u128) -> u32 {
    let mut abcr = [a, b, c, r];
    let [sa, sb, sc] = shadows;
    // SAFETY: four values.
    unsafe { calls::compose(pack_composite(composite, width), sa, sb, sc, abcr.as_mut_ptr().cast()) }
}

/// Special floats, and random bits.
fn interesting(random: &mut Random, width: u32, float: bool) -> u128 {
    if !float || random.below(2) == 0 {
        return random.value(width);
    }
    let floats = [0.0, -0.0, 1.0, -1.0, 0.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MIN_POSITIVE, 1e30];
    let x = floats[random.below(floats.len() as u64) as usize];
    if width == 32 { (x as f32).to_bits() as u128 } else { x.to_bits() as u128 }
}

fn check(composite: Composite, width: u32, rounds: u32) {
    let mut random = Random(0x1234_5678 + composite as u64 * 1000 + width as u64);
    let n = operands_of(composite);
    let float = composite as u8 >= Composite::FOrd as u8;
    for round in 0..rounds {
        let mut values = [0; 3];
        values[..n].fill_with(|| interesting(&mut random, width, float));
        let Some(r) = reference(composite, width, values) else { continue };
        let symbolic = 1 + round % ((1 << n) - 1);
        let planned = |values: &[u128; 3]| -> Vec<Vec<u8>> {
            values[..n].iter().map(|value| value.to_le_bytes()[..width.div_ceil(8) as usize].to_vec()).collect()
        };
        let run = Run::new(&planned(&values));
        let mut shadows = [0; 3];
        for k in 0..n {
            let (node, value) = run.symbolic(width);
            assert_eq!(value, values[k]);
            if symbolic >> k & 1 != 0 {
                shadows[k] = node;
            }
        }
        let node = compose(composite, width, shadows, values, r);
        assert_eq!(run.noted(NoteKind::Unsupported), 0, "{composite:?} {width} {values:x?} -> {r:x}");
        for _ in 0..8 {
            let mut others = values;
            for (k, other) in others[..n].iter_mut().enumerate() {
                if symbolic >> k & 1 != 0 {
                    *other = interesting(&mut random, width, float);
                }
            }
            let Some(expected) = reference(composite, width, others) else { continue };
            let got = if node == 0 { r } else { run.evaluate(node, &planned(&others)) };
            // It is unspecified which of two zeros or of two NaNs `fmin` returns.
            let free = matches!(composite, Composite::FMin | Composite::FMax)
                && (is_nan(width, expected) && is_nan(width, got)
                    || expected << 1 & mask(width) == 0 && got << 1 & mask(width) == 0);
            assert!(got == expected || free, "{composite:?} {width} {symbolic:b} {others:x?}: {got:x} != {expected:x}");
        }
        if node != 0 {
            assert_eq!(run.node(node).value(), r);
            assert_eq!(run.evaluate(node, &planned(&values)), r);
        }
    }
}

fn is_nan(width: u32, bits: u128) -> bool {
    crate::record::value::is_nan(width, bits)
}

#[test]
fn composites_mean_what_rust_says() {
    for &composite in Composite::ALL {
        for width in [8, 16, 32, 64, 128] {
            check(composite, width, 60);
        }
    }
}

#[test]
fn composites_of_odd_widths() {
    for &composite in &Composite::ALL[..=Composite::FShr as usize] {
        for width in [1, 3, 7, 24, 33, 48, 127] {
            check(composite, width, 20);
        }
    }
}

#[test]
fn overflow_checks_with_a_constant_are_one_comparison() {
    use tine_trace::op::Op;
    let run = Run::new(&[vec![5, 0, 0, 0]]);
    let (x, _) = run.symbolic(32);
    let before = run.n_nodes();
    let node = run.node(compose(Composite::SAddO, 32, [x, 0, 0], [5, 1, 0], 0));
    assert_eq!((node.op(), node.b), (Some(Op::Slt), x));
    assert_eq!(run.node(node.a).value(), 0x7fff_fffe);
    assert_eq!(run.n_nodes(), before + 2, "the constant and the comparison");
}

#[test]
fn a_result_that_the_machine_made_otherwise_is_concrete_and_counted() {
    let run = Run::new(&[vec![0]]);
    let (x, _) = run.symbolic(8);
    // `llvm.ctlz(0, is_zero_poison)`.
    assert_eq!(compose(Composite::CtLz, 8, [x, 0, 0], [0, 0, 0], 0xff), 0);
    assert_eq!(run.noted(NoteKind::Unsupported), 1);
}

#[test]
fn a_fused_multiplication_keeps_the_machines_result() {
    let run = Run::new(&[2.0f64.to_le_bytes().to_vec()]);
    let (x, _) = run.symbolic(64);
    let [two, three, seven, thirteen] = [2.0f64, 3.0, 7.0, 13.0].map(|x| x.to_bits() as u128);
    let node = run.node(compose(Composite::FMa, 64, [x, 0, 0], [two, three, seven], thirteen));
    assert_eq!((node.op(), node.a, node.value()), (Some(tine_trace::op::Op::FMa), x, thirteen));
    assert_eq!((run.node(node.b).value(), run.node(node.c).value()), (three, seven));
}
