//! Removes redundant constraints (CUTE's second optimisation): splits conjunctions, and drops parts that repeat another
//! part of the path or follow directly from it.
//!
//! ```text
//!   a && b,  b,  x < 5,  x < 9,  !(c || d)      a,  b,  x < 5,  !c,  !d
//!   goal  a && y == 3                           y == 3
//!   goal  c                                     infeasible
//! ```
//!
//! Only an earlier constraint makes a later one redundant. The path therefore stays a prefix of longer paths, which the
//! incremental solver requires.

use rustc_hash::{FxHashMap, FxHashSet};
use tine_expr::{Answer, Query, Solver, TermId, TermPool};
use tine_trace::eval::signed;
use tine_trace::op::Op;

use crate::stats::{Meter, Tier, TierStats};

pub(crate) struct Common {
    next: Box<dyn Tier>,
    meter: Meter,
    path: Path,
}

/// Parts of the path's constraints. Reused between queries to keep its memory.
#[derive(Default)]
struct Path {
    parts: Vec<TermId>,
    known: FxHashSet<TermId>,
    /// The strictest bound so far on a term: an upper bound (`is_upper`) or a lower bound by a constant, in the order
    /// of `Op`.
    bounds: FxHashMap<(TermId, Op, bool), i128>,
    todo: Vec<TermId>,
}

impl Common {
    pub(crate) fn new(next: Box<dyn Tier>) -> Self {
        Self { next, meter: Meter::new("common"), path: Path::default() }
    }
}

impl Path {
    fn clear(&mut self) {
        self.parts.clear();
        self.known.clear();
        self.bounds.clear();
    }

    fn add(&mut self, pool: &mut TermPool, constraint: TermId) {
        self.todo.push(constraint);
        while let Some(id) = self.todo.pop() {
            match conjuncts(pool, id) {
                Some([a, b]) => self.todo.extend([b, a]),
                None if self.known.insert(id) && !self.follows(pool, id) => self.parts.push(id),
                None => {}
            }
        }
    }

    /// True if a constraint is true, or is a bound that is not stricter than an earlier one.
    fn follows(&mut self, pool: &TermPool, id: TermId) -> bool {
        if pool.value(id) == Some(1) {
            return true;
        }
        let Some((x, op, is_upper, k)) = bound(pool, id) else { return false };
        let least = |a: i128, b: i128| if is_upper { a <= b } else { a >= b };
        match self.bounds.get_mut(&(x, op, is_upper)) {
            Some(known) if least(*known, k) => true,
            Some(known) => {
                *known = k;
                false
            }
            None => {
                self.bounds.insert((x, op, is_upper), k);
                false
            }
        }
    }

    /// Returns the part of the goal that the path does not imply, or `None` if the path contradicts the goal.
    fn rest_of(&mut self, pool: &mut TermPool, goal: TermId) -> Option<TermId> {
        let mut rest: Option<TermId> = None;
        self.todo.push(goal);
        let mut contradicts = false;
        while let Some(id) = self.todo.pop() {
            if let Some([a, b]) = conjuncts(pool, id) {
                self.todo.extend([b, a]);
                continue;
            }
            let negated = pool.not(id);
            contradicts |= self.known.contains(&negated);
            if !self.known.contains(&id) {
                rest = Some(rest.map_or(id, |rest| pool.and(rest, id)));
            }
        }
        // A goal that the path implies stays unchanged, because the hint may not satisfy it.
        if contradicts { None } else { Some(rest.unwrap_or(goal)) }
    }
}

/// The two parts of a conjunction.
fn conjuncts(pool: &mut TermPool, id: TermId) -> Option<[TermId; 2]> {
    let term = pool.term(id);
    match term.op()? {
        Op::And => Some([term.operand(0), term.operand(1)]),
        Op::Not => {
            let inner = pool.term(term.operand(0));
            if inner.op() != Some(Op::Or) {
                return None;
            }
            Some([pool.not(inner.operand(0)), pool.not(inner.operand(1))])
        }
        _ => None,
    }
}

/// Splits `x < k` or `k < x`, with the constant as a number in that order.
fn bound(pool: &TermPool, id: TermId) -> Option<(TermId, Op, bool, i128)> {
    let term = pool.term(id);
    let op = term.op().filter(|op| matches!(op, Op::Ult | Op::Slt))?;
    let (a, b) = (term.operand(0), term.operand(1));
    let number = |k: u128| {
        if op == Op::Slt { Some(signed(pool.width(a), k)) } else { i128::try_from(k).ok() }
    };
    match (pool.value(a), pool.value(b)) {
        (None, Some(k)) => Some((a, op, true, number(k)?)),
        (Some(k), None) => Some((b, op, false, number(k)?)),
        _ => None,
    }
}

impl Solver for Common {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let start = self.meter.start();
        self.path.clear();
        for &constraint in query.constraints {
            self.path.add(pool, constraint);
        }
        let Some(goal) = self.path.rest_of(pool, query.goal) else {
            self.meter.answered(start);
            return Answer::Unsat;
        };
        self.meter.dropped(query.constraints.len().saturating_sub(self.path.parts.len()));
        self.meter.passed(start);
        self.next.check(pool, &Query { constraints: &self.path.parts, goal, ..*query })
    }
}

impl Tier for Common {
    fn stats(&self, tiers: &mut Vec<TierStats>) {
        tiers.push(self.meter.stats());
        self.next.stats(tiers);
    }

    fn forget(&mut self) {
        self.path.clear();
        self.next.forget();
    }
}

#[cfg(test)]
mod tests {
    use tine_expr::rewrite::rules::names;
    use tine_expr::text::{parse, print};

    use super::*;

    /// The remaining path and goal of a query.
    fn left(constraints: &[&str], goal: &str) -> (Vec<String>, Option<String>) {
        let mut pool = TermPool::new();
        let names = names(&mut pool);
        let mut path = Path::default();
        for text in constraints {
            let constraint = parse(&mut pool, text, &names).unwrap();
            path.add(&mut pool, constraint);
        }
        let goal = parse(&mut pool, goal, &names).unwrap();
        let goal = path.rest_of(&mut pool, goal).map(|goal| print(&pool, goal, &names));
        (path.parts.iter().map(|&part| print(&pool, part, &names)).collect(), goal)
    }

    #[test]
    fn nothing_is_said_twice() {
        for (constraints, goal, parts, rest) in [
            (&["p", "q", "p"][..], "(eq x y)", &["p", "q"][..], Some("(eq x y)")),
            (&["(and p q)", "q"], "(eq x y)", &["p", "q"], Some("(eq x y)")),
            (&["(not (or p q))"], "(eq x y)", &["(not p)", "(not q)"], Some("(eq x y)")),
            (&["(ult x 5:32)", "(ult x 9:32)"], "p", &["(ult x 5:32)"], Some("p")),
            (&["(ult x 9:32)", "(ult x 5:32)"], "p", &["(ult x 9:32)", "(ult x 5:32)"], Some("p")),
            (&["(slt 5:32 x)", "(slt 0xffffffff:32 x)"], "p", &["(slt 5:32 x)"], Some("p")),
            (&["(ult 5:32 x)", "(ult 0xffffff00:32 x)"], "p", &["(ult 5:32 x)", "(ult 0xffffff00:32 x)"], Some("p")),
            (&["p"], "(and p q)", &["p"], Some("q")),
            (&["p"], "p", &["p"], Some("p")),
            (&["(and p q)"], "(not q)", &["p", "q"], None),
            (&["(ult x y)"], "(and (eq x 5:32) (ule y x))", &["(ult x y)"], None),
        ] {
            let (found_parts, found_rest) = left(constraints, goal);
            assert_eq!(found_parts, parts, "{constraints:?}");
            assert_eq!(found_rest.as_deref(), rest, "{constraints:?} {goal}");
        }
    }
}
