//! From a query that is answered wrongly to the smallest one that is.
//!
//! Constraints are left out one by one; then terms, large ones first, become operands of theirs, or the value that they have
//! under the hint. What stays wrong is kept.

use tine_expr::text::{Names, print};
use tine_expr::{Assignment, Evaluator, Kind, Query, Solver, TermId, TermPool};
use tine_trace::op::Op;

use crate::Chain;

/// Queries tried on the way.
const MAX_TRIED: u32 = 2_000;

type Wrong<'a> = &'a mut dyn FnMut(&mut TermPool, &Query<'_>) -> bool;

/// The query as text: constraints, goal, and what the hint has.
pub(super) fn smallest(pool: &TermPool, query: &Query<'_>, wrong: Wrong<'_>) -> String {
    let mut best = Small { pool: TermPool::new(), conditions: Vec::new() };
    let conditions: Vec<TermId> = query.constraints.iter().copied().chain([query.goal]).collect();
    best.conditions = conditions.iter().map(|&condition| copy(pool, &mut best.pool, condition, None)).collect();
    let mut left = MAX_TRIED;
    while let Some(smaller) = best.smaller(query.hint, wrong, &mut left) {
        best = smaller;
    }
    let mut text = String::new();
    for &condition in &best.conditions {
        text += &format!("\n  {}", print(&best.pool, condition, &Names::new()));
    }
    for range in best.pool.support_of_all(best.conditions.iter().copied()) {
        let bytes: Vec<u8> = (range.start..range.end).map(|offset| query.hint.get(range.input, offset)).collect();
        text += &format!("\n  hint: input {} from {}: {bytes:02x?}", range.input, range.start);
    }
    text
}

struct Small {
    pool: TermPool,
    /// The last is the goal.
    conditions: Vec<TermId>,
}

impl Small {
    /// One that is smaller, and still wrong.
    fn smaller(&mut self, hint: &Assignment, wrong: Wrong<'_>, left: &mut u32) -> Option<Small> {
        let n_constraints = self.conditions.len() - 1;
        for leave_out in 0..n_constraints {
            let mut conditions = self.conditions.clone();
            conditions.remove(leave_out);
            let found = self.with(&conditions, None);
            if found.is_wrong(hint, wrong, left)? {
                return Some(found);
            }
        }
        let mut terms: Vec<TermId> = Vec::new();
        let mut todo = self.conditions.clone();
        while let Some(id) = todo.pop() {
            if !terms.contains(&id) {
                terms.push(id);
                todo.extend(self.pool.term(id).operands());
            }
        }
        terms.sort_unstable_by(|a, b| b.cmp(a));
        for id in terms {
            let (term, width) = (self.pool.term(id), self.pool.width(id));
            if term.is_const() || width == 0 {
                continue;
            }
            let mut instead: Vec<TermId> =
                term.operands().filter(|&operand| self.pool.width(operand) == width).collect();
            let value = Evaluator::new().with(&self.pool, hint).eval(id);
            instead.push(self.pool.constant(width, value));
            for other in instead {
                let found = self.with(&self.conditions, Some((id, other)));
                if found.is_wrong(hint, wrong, left)? {
                    return Some(found);
                }
            }
        }
        None
    }

    fn with(&self, conditions: &[TermId], instead: Option<(TermId, TermId)>) -> Small {
        let mut pool = TermPool::new();
        let conditions = conditions.iter().map(|&condition| copy(&self.pool, &mut pool, condition, instead)).collect();
        Small { pool, conditions }
    }

    /// Nothing when there is no time left.
    fn is_wrong(&self, hint: &Assignment, wrong: Wrong<'_>, left: &mut u32) -> Option<bool> {
        *left = left.checked_sub(1)?;
        // Asked in a copy: who answers may add terms.
        let mut asked = self.with(&self.conditions, None);
        let (&goal, constraints) = asked.conditions.split_last()?;
        Some(wrong(&mut asked.pool, &Query { constraints, goal, hint, domains: &[] }))
    }
}

/// A term as it is, but for one that becomes another.
fn copy(from: &TermPool, to: &mut TermPool, id: TermId, instead: Option<(TermId, TermId)>) -> TermId {
    let id = instead.filter(|(old, _)| *old == id).map_or(id, |(_, new)| new);
    let term = from.term(id);
    let operands: Vec<TermId> = term.operands().map(|operand| copy(from, to, operand, instead)).collect();
    match term.kind() {
        Kind::Op(Op::Const) => to.constant(term.width(), from.value(id).unwrap()),
        Kind::Op(Op::Input) => {
            let view = term.input().unwrap();
            to.input(view.input, view.offset, view.width)
        }
        Kind::Op(op) => to.apply_raw(op, term.width(), &operands, term.immediate()).unwrap(),
        Kind::Table => to.table(from.table_bytes(id).unwrap().clone()),
        Kind::Select => to.select_raw(operands[0], operands[1], term.width()),
        Kind::Store => to.store_raw(operands[0], operands[1], operands[2]),
    }
}

/// Of a solver that is wrong about products only a product is left.
#[test]
fn what_is_wrong_about_products_is_a_product() {
    let mut pool = TermPool::new();
    let [x, y, z] = [0, 1, 2].map(|k| pool.input(k, 0, 32));
    let (product, five, nine) = (pool.mul(x, y), pool.constant(32, 5), pool.constant(32, 9));
    let sum = pool.add(product, z);
    let constraints = [pool.ult(z, five), pool.ult(x, nine), pool.ule(y, z)];
    let goal = pool.eq(sum, nine);
    let query = Query { constraints: &constraints, goal, hint: &Assignment::new(), domains: &[] };
    let mut smt: Chain = crate::plain(&crate::Options::default()).unwrap();
    let mut wrong = |pool: &mut TermPool, query: &Query<'_>| {
        let mut todo: Vec<TermId> = query.constraints.iter().copied().chain([query.goal]).collect();
        let mut multiplies = false;
        while let Some(id) = todo.pop() {
            multiplies |= pool.term(id).op() == Some(Op::Mul);
            todo.extend(pool.term(id).operands());
        }
        multiplies && matches!(smt.check(pool, query), tine_expr::Answer::Sat(_))
    };
    assert!(wrong(&mut pool, &query));
    let text = smallest(&pool, &query, &mut wrong);
    assert_eq!(text.lines().nth(1), Some("  (eq (mul i0:32 i1:32) 9:32)"), "{text}");
}
