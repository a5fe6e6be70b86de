//! Written text is read back, and errors are reported.

use super::*;
use crate::eval::Evaluator;
use crate::smt::text::Benchmark;
use crate::testing::{EVERYTHING, Random, Shape, random_terms};

/// Terms that are written and read back have the same value on random inputs.
#[test]
fn what_is_written_is_read_again() {
    let shape = Shape { floats: false, n_terms: 30, ..EVERYTHING };
    let mut n_read = 0;
    for seed in 0..300 {
        let (mut random, mut pool) = (Random::new(seed), TermPool::new());
        let terms = random_terms(&mut random, &mut pool, &shape);
        let conditions: Vec<TermId> = terms.iter().map(|pair| pair.0).filter(|&term| pool.width(term) == 1).collect();
        let text = Benchmark::new(&pool, &conditions).unwrap().to_string();
        let problems = read(&mut pool, &text).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
        let [problem] = problems.as_slice() else { panic!("seed {seed}: {} problems", problems.len()) };
        let mut evaluator = Evaluator::new();
        for _ in 0..10 {
            let mut inputs = Assignment::new();
            (0..32).for_each(|offset| inputs.set(0, offset, random.interesting(8) as u8));
            let mut evaluation = evaluator.with(&pool, &inputs);
            for (k, (&written, &read)) in conditions.iter().zip(&problem.assertions).enumerate() {
                assert_eq!(evaluation.holds(written), evaluation.holds(read), "seed {seed}, assertion {k}\n{text}");
                n_read += 1;
            }
        }
    }
    assert!(n_read > 5_000, "{n_read}");
}

/// All functions on floats can be read.
#[test]
fn floats_are_read() {
    let shape = Shape { n_terms: 40, ..EVERYTHING };
    let mut n_read = 0;
    for seed in 0..100 {
        let (mut random, mut pool) = (Random::new(seed), TermPool::new());
        let terms = random_terms(&mut random, &mut pool, &shape);
        for (condition, _) in terms.into_iter().filter(|pair| pool.width(pair.0) == 1).collect::<Vec<_>>() {
            let Ok(benchmark) = Benchmark::new(&pool, &[condition]) else { continue };
            let problems = read(&mut pool, &benchmark.to_string());
            n_read += problems.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{benchmark}")).len();
        }
    }
    assert!(n_read > 100, "{n_read}");
}

/// IEEE's remainder on values where it differs from `fmod`, and on limits.
#[test]
fn the_remainder_is_ieee() {
    let mut pool = TermPool::new();
    for (x, y, expected) in [
        (5.0f32, 3.0f32, -1.0f32),
        (-5.0, 3.0, 1.0),
        (7.0, 2.0, -1.0),
        (5.0, 2.0, 1.0),
        (3.0, -2.0, -1.0),
        (1.0, 2.0, 1.0),
        (3.0, 2.0, -1.0),
        (0.75, 0.5, -0.25),
        (-6.0, 3.0, -0.0),
        (f32::MAX, 2.5e38, f32::MAX - 2.5e38),
        (1.0, f32::INFINITY, 1.0),
        (f32::from_bits(3), f32::from_bits(2), f32::from_bits(0x8000_0001)),
        (f32::INFINITY, 1.0, f32::NAN),
        (1.0, 0.0, f32::NAN),
    ] {
        let float = |x: f32| format!("((_ to_fp 8 24) #x{:08x})", x.to_bits());
        let text = format!("(assert (= (fp.rem {} {}) {}))(check-sat)", float(x), float(y), float(expected));
        let problems = read(&mut pool, &text).unwrap();
        assert_eq!(pool.value(problems[0].assertions[0]), Some(1), "{x} rem {y} is not {expected}");
    }
}

#[test]
fn queries_follow_each_other() {
    let text = "; hint 0 1 05ff\n(set-logic QF_BV)\n(declare-const i0_0_32 (_ BitVec 32))\n(declare-const b Bool)\n\
                (assert b)(assert (= i0_0_32 #x00000007))\n(check-sat)\n(reset)\n(assert true)\n(check-sat)\n(exit)\n";
    let mut pool = TermPool::new();
    let problems = read(&mut pool, text).unwrap();
    assert_eq!(problems.iter().map(|problem| problem.assertions.len()).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(problems.iter().map(|problem| problem.line).collect::<Vec<_>>(), [6, 9]);
    assert_eq!((problems[0].hint.get(0, 1), problems[0].hint.get(0, 2)), (5, 255));
    assert_eq!(problems[1].hint, Assignment::new());
}

#[test]
fn mistakes_are_named_with_their_line() {
    for (text, line, message) in [
        ("(check-sat", 1, "`(` without `)`"),
        ("\n)", 2, "`)` without `(`"),
        ("(assert x)", 1, "`x` is not known"),
        ("(assert #x00)", 1, "Bits(8) where Bool is needed"),
        ("(assert (bvult #x00 #x0000))", 1, "`bvult` is not known with these operands"),
        ("(assert (and true #b1))", 1, "`and` is not known with these operands"),
        ("(assert ((_ extract 0 7) #x00))", 1, "`extract` is not known with these operands"),
        ("(assert (= ((_ zero_extend 200) #x00) #x00))", 1, "`zero_extend` is not known with these operands"),
        ("x", 1, "a command stands in parentheses"),
        ("(declare-const a (Array (_ BitVec 64) (_ BitVec 8)))", 1, "variables that are arrays are not known"),
        (&"(".repeat(100_000), 1, "nested too deep"),
        (&format!("(assert {}true{})", "(and true ".repeat(100_000), ")".repeat(100_000)), 1, "nested too deep"),
        (&format!("(assert #x{})", "f".repeat(100_000)), 1, &format!("`#x{}…` is not known", "f".repeat(38))),
        ("(assert\n(not\nx))", 1, "`x` is not known"),
        ("\n(check-sat)\n(assert\n(not x)", 3, "`(` without `)`"),
        ("(set-info :source \"abc", 1, "`\"` without end"),
        ("(declare-const |x", 1, "`|` without end"),
        ("(assert #x+1)", 1, "`#x+1` is not known"),
        ("(assert ((_ extract 0 0) true))", 1, "`extract` is not known with these operands"),
        ("(assert (= ((_ fp.to_sbv 8) RTZ #x00000000) #x00))", 1, "`fp.to_sbv` is not known with these operands"),
        ("(assert (_ bv5 0))", 1, "only numbers of up to 128 bits are known"),
        ("(assert (_ bv5 200))", 1, "only numbers of up to 128 bits are known"),
        ("(declare-const x (_ BitVec 4294967296))", 1, SORTS),
        ("(set-logic QF_LIA)(declare-const x Int)", 1, SORTS),
        ("(declare-fun f (Bool) Bool)", 1, "`f` has parameters: only constants are known"),
        ("(define-fun f ((x Bool)) Bool x)", 1, "`f` has parameters: only constants are known"),
        ("(declare-const x Bool)(declare-const x Bool)", 1, "`x` is declared already"),
        ("(declare-sort S 0)", 1, "the command `declare-sort` is not known in this form"),
        ("(check-sat-assuming (x))", 1, "the command `check-sat-assuming` is not known in this form"),
        ("(assert (forall ((x Bool)) x))", 1, "an application begins with a function"),
        ("(assert (let (x) true))", 1, "`let` binds names in parentheses"),
        ("(assert (let ((x true true)) true))", 1, "`let` binds a name to a term"),
        ("(assert (and (let ((x true)) x) x))", 1, "`x` is not known"),
        ("(pop 1)", 1, "`pop` without `push`"),
        ("(push -1)", 1, "`-1` is not a number of levels"),
        ("(push 99999999)", 1, "more than 4096 levels"),
        ("(push 1)(declare-const x Bool)(pop 1)(assert x)", 1, "`x` is not known"),
    ] {
        let found = read(&mut TermPool::new(), text).unwrap_err();
        assert_eq!((found.line, found.message.as_str()), (line, message), "{text}");
    }
}

const SORTS: &str =
    "this sort is not known: there are Bool, bit-vectors up to 128 bits, float, double, and arrays from 64 bits to 8";

/// Text of other tools. Each assertion is valid.
#[test]
fn other_words_are_read() {
    let declared = "(declare-const p Bool)(declare-const |q| Bool)(declare-fun x () (_ BitVec 8))(declare-const y (_ BitVec 8))\
                    (declare-const f (_ FloatingPoint 8 24))(declare-const g Float32)";
    for claim in [
        "(=> p q p)",
        "(= (=> p q) (or (not p) q))",
        "(let ((a x) (p (bvult x y))) (let ((x y)) (= p (bvugt x a))))",
        "(= (bvuge x y) (not (bvult x y)))",
        "(= (bvsgt x y) (bvslt y x))",
        "(= (bvsge x y) (bvsle y x))",
        "(= (bvneg x) (bvsub (_ bv0 8) x))",
        "(= (bvnand x y) (bvnot (bvand x y)))",
        "(= (bvxnor x y) (bvnor (bvxor x y) #x00))",
        "(= (bvcomp x y) (ite (= x y) #b1 #b0))",
        "(not (distinct x y x))",
        "(= (distinct p q) (xor p q))",
        "(= (= x y #x05) (and (= x y) (= y #x05)))",
        "(= (bvadd x y x #x01) (bvadd (bvadd x x) (bvadd y #x01)))",
        "(= (concat x y x) (concat (concat x y) x))",
        "(= (fp.gt f g) (fp.lt g f))",
        "(= (fp.geq f g) (fp.leq g f))",
        "(! (= (_ bv255 8) #xff) :named top)",
        "(= |p| p)",
    ] {
        let mut pool = TermPool::new();
        let problems = read(&mut pool, &format!("{declared}\n(assert {claim})\n(check-sat)"))
            .unwrap_or_else(|why| panic!("{claim}: {why}"));
        let (mut random, mut evaluator) = (Random::new(1), Evaluator::new());
        for _ in 0..200 {
            let mut inputs = Assignment::new();
            (0..16).for_each(|offset| inputs.set(0, offset, random.interesting(8) as u8));
            assert!(evaluator.with(&pool, &inputs).holds(problems[0].assertions[0]), "{claim} under {inputs:?}");
        }
    }
}

/// Levels of `(push)`, and text after the end.
#[test]
fn levels_come_and_go() {
    let text = "(declare-const x Bool)(assert x)(push 2)(declare-const y Bool)(assert y)(check-sat)(pop 1)(check-sat)\n\
                (pop)(declare-const y Bool)(check-sat)(push)(check-sat)(exit)(nonsense";
    let problems = read(&mut TermPool::new(), text).unwrap();
    assert_eq!(problems.iter().map(|problem| problem.assertions.len()).collect::<Vec<_>>(), [2, 1, 1, 1]);
}

/// Variables share no bytes and occupy few bytes. A variable that is named after an impossible input is treated like
/// other variables.
#[test]
fn variables_have_places_of_their_own() {
    let text = "; hint 0 4294967295 00ff\n; hint 4294967294 0 00\n; hint 3 0 07\n\
                (declare-const i3_0_8 (_ BitVec 8))(declare-const x Bool)(declare-const y (_ BitVec 128))\
                (declare-const i4294967295_4294967295_128 (_ BitVec 128))(declare-const i0_4294967295_64 (_ BitVec 64))\
                (declare-const i2147483649_8_16 (_ BitVec 16))(check-sat)";
    let mut pool = TermPool::new();
    let problems = read(&mut pool, text).unwrap();
    let mut expected = Assignment::new();
    expected.set(3, 0, 7);
    assert_eq!(problems[0].hint, expected);
    let inputs = (0..pool.len() as u32).filter_map(|id| pool.input_view(TermId(id)));
    let mut places: Vec<(u32, u32, u32)> = inputs.map(|view| (view.input, view.offset, view.width)).collect();
    places.sort_unstable();
    assert_eq!(places, [(3, 0, 8), (4, 0, 8), (4, 1, 128), (4, 17, 128), (4, 33, 64), (1 << 31 | 1, 8, 16)]);
}

/// Damaged input is read, or refused with a line number that exists.
#[test]
fn damaged_texts_are_refused() {
    let shape = Shape { n_terms: 12, ..EVERYTHING };
    let (mut n_read, mut n_refused) = (0, 0);
    for seed in 0..200 {
        let (mut random, mut pool) = (Random::new(seed), TermPool::new());
        let terms = random_terms(&mut random, &mut pool, &shape);
        let conditions: Vec<TermId> = terms.iter().map(|pair| pair.0).filter(|&term| pool.width(term) == 1).collect();
        let Ok(benchmark) = Benchmark::new(&pool, &conditions) else { continue };
        let text = benchmark.to_string();
        let words: Vec<&str> = text.split_inclusive([' ', '(', ')', '\n']).collect();
        for _ in 0..40 {
            let mut damaged = words.clone();
            for _ in 0..1 + random.below(3) {
                let (at, other) =
                    (random.below(damaged.len() as u64) as usize, random.below(words.len() as u64) as usize);
                match random.below(6) {
                    0 => damaged.truncate(at.max(1)),
                    1 => drop(damaged.remove(at)),
                    2 => damaged.insert(at, words[other]),
                    3 => damaged.insert(
                        at,
                        random.pick(&["(", ")", "|", "\"", "4294967295 ", "-1 ", "#x ", "#b2 ", "é", "\0"]),
                    ),
                    4 => damaged.insert(
                        at,
                        random.pick(&["(let ((x true)) ", "(push 1)", "(pop 1)", "(_ bv7 ", "; hint 0 0 zz\n"]),
                    ),
                    _ => damaged[at] = words[other],
                }
                if damaged.is_empty() {
                    break;
                }
            }
            let damaged = damaged.concat();
            match read(&mut TermPool::new(), &damaged) {
                Ok(_) => n_read += 1,
                Err(why) => {
                    n_refused += 1;
                    let fits = (1..=damaged.lines().count().max(1)).contains(&why.line) && why.message.len() < 300;
                    assert!(fits && !why.message.contains('\n'), "seed {seed}: {why}\n{damaged}");
                }
            }
        }
    }
    assert!(n_read > 100 && n_refused > 2_000, "{n_read} read, {n_refused} refused");
}
