//! Examples of rules, and evaluation of all rules on random terms.

use expect_test::{Expect, expect};
use tine_trace::op::Op;

use crate::assignment::Assignment;
use crate::eval::Evaluator;
use crate::pool::TermPool;
use crate::rewrite::rules::{RULES, Row, Rule, names, observed};
use crate::term::{Kind, Term, TermId};
use crate::testing::{EVERYTHING, Random, random_bytes, random_names, random_terms};
use crate::text::{Names, parse, parse_raw, print};

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "so that calls read `check(.., expect![..])`")]
fn check(text: &str, expected: Expect) {
    let mut pool = TermPool::new();
    let names = names(&mut pool);
    let term = parse(&mut pool, text, &names).unwrap();
    expected.assert_eq(&print(&pool, term, &names));
}

/// Asserted by [`super::apply`] in tests: a term that differs from the given operation was made by a named rule.
pub(super) fn changed_by_a_rule(
    pool: &TermPool,
    n_fired: usize,
    term: TermId,
    op: Op,
    operands: &[TermId],
    immediate: u32,
) {
    let made = pool.term(term);
    let unchanged =
        made.op() == Some(op) && made.operands().eq(operands.iter().copied()) && made.immediate() == immediate;
    let named = pool.fired[n_fired..].iter().any(|(depth, _)| *depth == pool.depth);
    assert!(unchanged || named, "no rule says that it made {:?} of {op:?} {operands:?}", made);
}

/// Applies the term's operation again to its simplified operands. Also returns the rules that fired for it.
fn apply_again(pool: &mut TermPool, term: TermId) -> (TermId, Vec<Rule>) {
    let made = pool.term(term);
    let operands: Vec<TermId> = made.operands().map(|operand| simplest(pool, operand)).collect();
    pool.fired.clear();
    let rewritten = apply(pool, made, &operands);
    let own = if made.op().is_some() { 1 } else { 0 };
    let rules = pool.fired.iter().filter(|(depth, _)| *depth == own).map(|(_, rule)| *rule).collect();
    (rewritten, rules)
}

/// Applies the term's operation to these operands.
fn apply(pool: &mut TermPool, made: Term, operands: &[TermId]) -> TermId {
    match made.kind() {
        Kind::Op(op) => pool.apply(op, made.width(), operands, made.immediate()),
        Kind::Select => pool.select(operands[0], operands[1], made.width()),
        Kind::Store => pool.store(operands[0], operands[1], operands[2]),
        Kind::Table => unreachable!("has no operands"),
    }
}

fn simplest(pool: &mut TermPool, term: TermId) -> TermId {
    let made = pool.term(term);
    if made.operands().len() == 0 { term } else { apply_again(pool, term).0 }
}

/// Each example of the table changes to its stated result, and the last rule that fires is the row's rule.
#[test]
fn every_rule_does_what_its_row_says() {
    for &Row { rule, before, after, .. } in RULES {
        let mut pool = TermPool::new();
        let names = names(&mut pool);
        let raw = parse_raw(&mut pool, before, &names).unwrap_or_else(|why| panic!("{rule:?}: {before}: {why}"));
        let (rewritten, rules) = apply_again(&mut pool, raw);
        assert_eq!(print(&pool, rewritten, &names), after, "{rule:?}");
        assert_eq!(rules.last(), Some(&rule), "{rule:?}: {before} is changed by {rules:?}");
        assert!(
            rules.len() == 1 || matches!(rules[..], [Rule::Order, _] | [_, Rule::ConcatInto]),
            "{rule:?}: {rules:?}"
        );
    }
}

/// Each example keeps its value with random terms in place of its names, and each rule fires for many of them.
#[test]
fn every_rule_keeps_values_on_random_terms() {
    let mut n_fired = vec![0u32; RULES.len()];
    for (n, row) in RULES.iter().enumerate() {
        for round in 0..200 {
            let seed = (n as u64) << 32 | round;
            let mut random = Random::new(seed);
            let mut pool = TermPool::new();
            let names = random_names(&mut random, &mut pool);
            let raw = parse_raw(&mut pool, row.before, &names).unwrap();
            let (rewritten, rules) = apply_again(&mut pool, raw);
            rules.iter().for_each(|rule| n_fired[*rule as usize] += 1);
            // The rules must also be correct for operands that do not have the expected form.
            let made = pool.term(raw);
            let operands: Vec<TermId> = made.operands().collect();
            let unprepared = apply(&mut pool, made, &operands);
            let [raw, rewritten, unprepared] = [raw, rewritten, unprepared].map(|term| observed(&mut pool, term));
            let mut evaluator = Evaluator::new();
            for _ in 0..8 {
                let assignment = random_bytes(&mut random);
                let mut evaluation = evaluator.with(&pool, &assignment);
                let value = evaluation.eval(raw);
                for term in [rewritten, unprepared] {
                    assert_eq!(
                        evaluation.eval(term),
                        value,
                        "{:?}, seed {seed}:\n  {}\nbecame\n  {}\nunder {assignment:?}",
                        row.rule,
                        print(&pool, raw, &Names::new()),
                        print(&pool, term, &Names::new())
                    );
                }
            }
        }
    }
    let rare: Vec<Rule> = RULES.iter().map(|row| row.rule).filter(|rule| n_fired[*rule as usize] < 50).collect();
    assert_eq!(rare, []);
}

#[test]
fn sums() {
    check("(add 1:32 x)", expect!["(add x 1:32)"]);
    check("(add (add x 1:32) 2:32)", expect!["(add x 3:32)"]);
    check("(add (add x 1:32) (add y 2:32))", expect!["(add (add x y) 3:32)"]);
    check("(add x x)", expect!["(shl x 1:32)"]);
    check("(add x (sub 0:32 y))", expect!["(sub x y)"]);
    check("(add (sub x y) y)", expect!["x"]);
    check("(sub x 1:32)", expect!["(add x 0xffffffff:32)"]);
    check("(sub (add x y) x)", expect!["y"]);
    check("(sub (add x 5:32) (add y 3:32))", expect!["(add (sub x y) 2:32)"]);
    check("(sub x (sub x y))", expect!["y"]);
    check("(add (sub 5:32 x) 2:32)", expect!["(sub 7:32 x)"]);
    check("(sub (add x (add y z)) (add y x))", expect!["z"]);
    check("(add (sub x y) (sub y x))", expect!["0:32"]);
    check("(sub (mul x 0x80000001:32) (add x 7:32))", expect!["(add (mul x 0x80000000:32) 0xfffffff9:32)"]);
}

#[test]
fn products_and_division() {
    check("(mul x 0:32)", expect!["0:32"]);
    check("(mul 1:32 x)", expect!["x"]);
    check("(mul (mul x 3:32) 5:32)", expect!["(mul x 15:32)"]);
    check("(mul x 0xffffffff:32)", expect!["(sub 0:32 x)"]);
    check("(udiv x 8:32)", expect!["(zext 32 (extract 3 29 x))"]);
    check("(udiv x 0:32)", expect!["0xffffffff:32"]);
    check("(urem x 256:32)", expect!["(zext 32 i0:8)"]);
    check("(urem x 0:32)", expect!["x"]);
    check("(sdiv x 1:32)", expect!["x"]);
    check("(srem x 0xffffffff:32)", expect!["0:32"]);
    check("(umulo (zext 32 a) (zext 32 b))", expect!["0:1"]);
    check("(smulo (sext 32 a) (zext 32 b))", expect!["0:1"]);
    check("(smulo x 1:32)", expect!["0:1"]);
    check("(umulo 2:32 x)", expect!["(umulo x 2:32)"]);
}

#[test]
fn bits() {
    check("(and x 0xff:32)", expect!["(zext 32 i0:8)"]);
    check("(and (zext 32 a) 0x1ff:32)", expect!["(zext 32 a)"]);
    check("(and (and x 0xf0f0:32) 0xff00:32)", expect!["(and x 0xf000:32)"]);
    check("(and p (not p))", expect!["0:1"]);
    check("(or (ult x y) (ule y x))", expect!["1:1"]);
    check("(or p (and p q))", expect!["p"]);
    check("(xor x 0xffffffff:32)", expect!["(not x)"]);
    check("(xor x (xor y x))", expect!["y"]);
    check("(not (not x))", expect!["x"]);
    check("(not (ult x y))", expect!["(ule y x)"]);
    check("(not (sle x 5:32))", expect!["(slt 5:32 x)"]);
    check("(shl x 0:32)", expect!["x"]);
    check("(shl (shl x 3:32) 30:32)", expect!["0:32"]);
    check("(lshr x 24:32)", expect!["(zext 32 i0.3:8)"]);
    check("(ashr x 24:32)", expect!["(sext 32 i0.3:8)"]);
}

/// Bytes that are stored and loaded again, and bytes that are combined by hand.
#[test]
fn structure() {
    check("(concat i0.3:8 (concat i0.2:8 (concat i0.1:8 i0:8)))", expect!["x"]);
    check("(concat (concat (concat i0.3:8 i0.2:8) i0.1:8) i0:8)", expect!["x"]);
    check("(let $1 (mul x y) (concat (extract 8 24 $1) (extract 0 8 $1)))", expect!["(mul x y)"]);
    check(
        "(let $1 (add (zext 32 a) 1:32) (concat (extract 8 24 $1) (extract 0 8 $1)))",
        expect!["(add (zext 32 a) 1:32)"],
    );
    check("(or (zext 32 i0:8) (shl (zext 32 i0.1:8) 8:32))", expect!["(zext 32 i0:16)"]);
    check("(add (shl (zext 32 a) 16:32) (zext 32 b))", expect!["(zext 32 (concat a (zext 16 b)))"]);
    check(
        "(or (or (or (zext 32 i0:8) (shl (zext 32 i0.1:8) 8:32)) (shl (zext 32 i0.2:8) 16:32)) (shl (zext 32 i0.3:8) 24:32))",
        expect!["x"],
    );
    check("(extract 8 8 (concat a b))", expect!["a"]);
    check("(extract 4 8 (concat a b))", expect!["(concat (extract 0 4 a) (extract 4 4 b))"]);
    check("(extract 0 8 (zext 32 a))", expect!["a"]);
    check("(extract 4 8 (sext 32 a))", expect!["(sext 8 (extract 4 4 a))"]);
    check("(extract 16 8 (sext 32 a))", expect!["(sext 8 (extract 7 1 a))"]);
    check("(extract 2 4 (extract 8 8 x))", expect!["(extract 2 4 i0.1:8)"]);
    check("(concat (extract 4 4 a) (extract 0 4 a))", expect!["a"]);
    check("(concat 0:24 a)", expect!["(zext 32 a)"]);
    check("(concat (concat 0:8 a) b)", expect!["(zext 24 (concat a b))"]);
    check("(zext 64 (zext 32 a))", expect!["(zext 64 a)"]);
    check("(sext 64 (zext 32 a))", expect!["(zext 64 a)"]);
    check("(concat (sext 8 (extract 7 1 a)) a)", expect!["(sext 16 a)"]);
    check("(extract 0 8 (add (zext 32 a) 1:32))", expect!["(add a 1:8)"]);
}

#[test]
fn equality() {
    check("(eq x x)", expect!["1:1"]);
    check("(eq (add x 1:32) 5:32)", expect!["(eq x 4:32)"]);
    check("(eq (sub x y) 0:32)", expect!["(eq x y)"]);
    check("(eq (xor x y) 0:32)", expect!["(eq x y)"]);
    check("(eq (sub 7:32 x) 5:32)", expect!["(eq x 2:32)"]);
    check("(eq (mul x 3:32) 9:32)", expect!["(eq x 3:32)"]);
    check("(eq (mul x 4:32) 6:32)", expect!["0:1"]);
    check("(eq (zext 32 a) 65:32)", expect!["(eq a 65:8)"]);
    check("(eq (zext 32 a) 256:32)", expect!["0:1"]);
    check("(eq (sext 32 a) 0xffffff80:32)", expect!["(eq a 128:8)"]);
    check("(eq (sext 32 a) 0x80:32)", expect!["0:1"]);
    check("(eq (zext 32 p) 0:32)", expect!["(not p)"]);
    check("(eq (zext 32 p) 1:32)", expect!["p"]);
    check("(eq (zext 32 p) 2:32)", expect!["0:1"]);
    check("(eq (add x z) (add z y))", expect!["(eq x y)"]);
    check("(eq (add x y) x)", expect!["(eq y 0:32)"]);
    check("(eq (zext 32 a) (zext 32 b))", expect!["(eq a b)"]);
    check("(eq (and x 0xf0:32) 1:32)", expect!["0:1"]);
    check("(eq (concat a 0:8) 0x1200:16)", expect!["(eq a 18:8)"]);
}

#[test]
fn order() {
    check("(ult x 0:32)", expect!["0:1"]);
    check("(ult x 1:32)", expect!["(eq x 0:32)"]);
    check("(ule x 9:32)", expect!["(ult x 10:32)"]);
    check("(ule 9:32 x)", expect!["(ult 8:32 x)"]);
    check("(slt (zext 32 a) 65:32)", expect!["(ult a 65:8)"]);
    check("(slt (zext 32 a) 0xffffffff:32)", expect!["0:1"]);
    check("(slt (zext 32 a) 300:32)", expect!["1:1"]);
    check("(slt (sext 32 a) 0:32)", expect!["(slt a 0:8)"]);
    check("(slt (sext 32 a) 128:32)", expect!["1:1"]);
    check("(sle (sext 32 a) 0xffffff80:32)", expect!["(eq a 128:8)"]);
    check("(slt (zext 32 a) (zext 32 b))", expect!["(ult a b)"]);
    check("(ult (sext 32 a) (sext 32 b))", expect!["(ult a b)"]);
    check("(sle x y)", expect!["(sle x y)"]);
}

#[test]
fn choices() {
    check("(ite p x x)", expect!["x"]);
    check("(ite (not p) x y)", expect!["(ite p y x)"]);
    check("(ite p 1:1 0:1)", expect!["p"]);
    check("(ite p 0:1 1:1)", expect!["(not p)"]);
    check("(ite p 1:32 0:32)", expect!["(zext 32 p)"]);
    check("(ite p 0:32 0xffffffff:32)", expect!["(sext 32 (not p))"]);
    check("(ite p q 0:1)", expect!["(and p q)"]);
    check("(eq (ite p 3:32 5:32) 3:32)", expect!["p"]);
    check("(eq (ite p 3:32 5:32) 5:32)", expect!["(not p)"]);
    check("(eq (ite p 3:32 5:32) 6:32)", expect!["0:1"]);
    check("(eq (ite p 3:32 x) 6:32)", expect!["(and (eq x 6:32) (not p))"]);
    check("(slt (ite p 3:32 5:32) 4:32)", expect!["p"]);
    check("(add (ite p 3:32 5:32) 4:32)", expect!["(ite p 7:32 9:32)"]);
    check("(ite p (ite p x y) z)", expect!["(ite p x z)"]);
}

#[test]
fn floats() {
    check("(fneg (fneg x))", expect!["x"]);
    check("(fabs (fneg x))", expect!["(fabs x)"]);
    check("(feq x x)", expect!["(not (fisnan x))"]);
    check("(flt x x)", expect!["0:1"]);
    check("(fisnan (stof 32 y))", expect!["0:1"]);
    check("(ftos 32 (stof 64 x))", expect!["x"]);
    check("(ftos 32 (stof 32 x))", expect!["(ftos 32 (stof 32 x))"]);
    check("(fadd 0x3f800000:32 0x40000000:32)", expect!["0x40400000:32"]);
}

#[test]
fn arrays() {
    check("(select 8 (table 0102) 1:64)", expect!["2:8"]);
    check("(select 8 (table 0102) 7:64)", expect!["0:8"]);
    check("(select 8 (store (table 0102) w a) w)", expect!["a"]);
    check("(select 8 (store (table 0102) w a) (add w 1:64))", expect!["(select 8 (table 0102) (add w 1:64))"]);
    check("(select 8 (store (table 0102) w a) 1:64)", expect!["(ite (eq w 1:64) a 2:8)"]);
    check("(store (store (table 0102) w a) w b)", expect!["(store (table 0102) w b)"]);
    check("(store (table 0102) w (select 8 (table 0102) w))", expect!["(table 0102)"]);
}

#[test]
fn long_chains_need_no_deep_stack() {
    let mut pool = TermPool::new();
    let mut chain = pool.input(0, 0, 32);
    for k in 0..200_000u32 {
        let byte = pool.input(1, k, 8);
        let (letter, value) = (pool.constant(8, 65), pool.constant(32, k as u128 + 1000));
        let is = pool.eq(byte, letter);
        chain = pool.ite(is, value, chain);
    }
    let k = pool.constant(32, 5);
    let goal = pool.eq(chain, k);
    let mut assignment = Assignment::new();
    assignment.write(0, 0, 32, 5);
    assert!(Evaluator::new().with(&pool, &assignment).holds(goal));
}

/// Each random term is built twice, with and without rules, and must have the same value either way.
#[test]
fn rules_keep_values_on_random_terms() {
    for seed in 0..10_000 {
        let mut random = Random::new(seed);
        let mut pool = TermPool::new();
        let pairs = random_terms(&mut random, &mut pool, &EVERYTHING);
        let mut evaluator = Evaluator::new();
        for _ in 0..6 {
            let assignment = random_bytes(&mut random);
            let mut evaluation = evaluator.with(&pool, &assignment);
            for &(raw, rewritten) in &pairs {
                let (left, right) = (evaluation.eval(raw), evaluation.eval(rewritten));
                assert_eq!(
                    left,
                    right,
                    "seed {seed}:\n  {}\nbecame\n  {}\nunder {assignment:?}",
                    print(&pool, raw, &Names::new()),
                    print(&pool, rewritten, &Names::new())
                );
            }
        }
    }
}

/// Rewriting is idempotent: the text of a rewritten term, parsed with rules, gives the same term.
#[test]
fn text_of_random_terms_reads_back() {
    for seed in 0..500 {
        let mut random = Random::new(seed ^ 0x5555);
        let mut pool = TermPool::new();
        for (raw, rewritten) in random_terms(&mut random, &mut pool, &EVERYTHING) {
            for term in [raw, rewritten] {
                let text = print(&pool, term, &Names::new());
                assert_eq!(parse_raw(&mut pool, &text, &Names::new()), Ok(term), "seed {seed}: {text}");
            }
        }
    }
}
