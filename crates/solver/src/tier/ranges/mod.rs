//! Contradictions found by ranges, single bits and orders: `x < 5` after `x > 9`, `x == 3` after `x & 1 == 0`, `z < x`
//! after `x < y` and `y < z`, `x <= y` after `x != y` and `y <= x`.
//!
//! ```text
//!   conditions ──▶ facts about their operands ──▶ bounds of every term, upwards ──▶ an infeasible condition: unsat
//!                        ▲                                  │
//!                        └── `a < b` with bounds of both ───┘  a second time
//! ```
//!
//! Bounds allow more values than are possible, so this tier answers unsat or nothing.

mod arrays;
mod bounds;
mod floats;
mod order;
mod transfer;

use rustc_hash::FxHashMap;
use tine_expr::{Answer, InputView, Kind, Query, Solver, Term, TermId, TermPool};
use tine_trace::eval::mask;
use tine_trace::op::Op;

use crate::stats::{Meter, Tier, TierStats};
use bounds::Bounds;
use floats::Interval;
use order::{Order, Sign};
use transfer::transfer;

/// Queries with more terms are passed on.
const MAX_TERMS: usize = 4096;
/// Number of rounds of upward and downward propagation.
const N_ROUNDS: usize = 2;

pub(crate) struct Ranges {
    next: Box<dyn Tier>,
    meter: Meter,
}

impl Ranges {
    pub(crate) fn new(next: Box<dyn Tier>) -> Self {
        Self { next, meter: Meter::new("ranges") }
    }
}

impl Solver for Ranges {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let start = self.meter.start();
        if contradicts_itself(pool, query) {
            self.meter.answered(start);
            return Answer::Unsat;
        }
        self.meter.passed(start);
        self.next.check(pool, query)
    }
}

fn contradicts_itself(pool: &TermPool, query: &Query<'_>) -> bool {
    let conditions: Vec<TermId> = query.constraints.iter().copied().chain([query.goal]).collect();
    analyse(pool, &conditions, &[]).is_some_and(|known| known.empty)
}

/// An input byte within a range, both ends included.
pub(super) struct Between {
    pub(super) input: u32,
    pub(super) offset: u32,
    pub(super) low: u8,
    pub(super) high: u8,
}

/// True if the conditions cannot hold together for bytes in these ranges.
pub(super) fn contradict(pool: &mut TermPool, conditions: &[TermId], bytes: &[Between]) -> bool {
    let mut facts = Vec::new();
    for byte in bytes {
        let bounds = Bounds::between(8, byte.low.into(), byte.high.into());
        facts.push((pool.input(byte.input, byte.offset, 8), bounds));
    }
    analyse(pool, conditions, &facts).is_some_and(|known| known.empty)
}

/// Derives bounds and orders. Returns `None` if there are too many terms.
pub(super) fn analyse<'p>(pool: &'p TermPool, conditions: &[TermId], facts: &[(TermId, Bounds)]) -> Option<Known<'p>> {
    // A condition that only lists the possible constants of a term is long. It is used as a fact, and its terms are
    // skipped.
    let mut facts = facts.to_vec();
    let mut others = Vec::new();
    for &condition in conditions {
        match one_of(pool, condition) {
            Some(fact) => facts.push(fact),
            None => others.push(condition),
        }
    }
    let conditions = others;
    let terms = terms_below(pool, &conditions, MAX_TERMS)?;
    let mut known = Known {
        pool,
        facts: FxHashMap::default(),
        views: Vec::new(),
        bounds: FxHashMap::default(),
        empty: false,
        order: Some(Order::default()),
    };
    for (id, bounds) in facts {
        known.fact(id, bounds);
    }
    for _ in 0..N_ROUNDS {
        for &condition in &conditions {
            known.assume(condition, true);
        }
        known.go_up(&terms);
        // The order is the same in each round, so it is checked once.
        known.empty |= known.order.take().is_some_and(|order| order.has_circle());
        if known.empty {
            break;
        }
    }
    Some(known)
}

/// Returns all terms below these, operands first, or `None` if there are more than `most`.
pub(super) fn terms_below(pool: &TermPool, roots: &[TermId], most: usize) -> Option<Vec<TermId>> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = roots.to_vec();
    while let Some(id) = stack.pop() {
        if seen.insert(id) {
            if seen.len() > most {
                return None;
            }
            stack.extend(pool.term(id).operands());
        }
    }
    let mut terms: Vec<TermId> = seen.into_iter().collect();
    terms.sort_unstable();
    Some(terms)
}

/// Bounds of a term from a disjunction of comparisons of this term with constants.
fn one_of(pool: &TermPool, disjunction: TermId) -> Option<(TermId, Bounds)> {
    if pool.term(disjunction).op() != Some(Op::Or) {
        return None;
    }
    let (mut todo, mut found) = (vec![disjunction], None::<(TermId, Bounds)>);
    while let Some(id) = todo.pop() {
        let term = pool.term(id);
        match term.op()? {
            Op::Or => todo.extend(term.operands()),
            Op::Eq => {
                let (x, value) = (term.operand(0), pool.value(term.operand(1))?);
                let constant = Bounds::constant(pool.width(x), value);
                found = match found {
                    None => Some((x, constant)),
                    Some((same, bounds)) if same == x => Some((x, bounds.join(&constant))),
                    Some(_) => return None,
                };
            }
            _ => return None,
        }
    }
    found
}

pub(super) struct Known<'p> {
    pool: &'p TermPool,
    /// Facts from the conditions.
    facts: FxHashMap<TermId, Bounds>,
    /// Facts on inputs.
    views: Vec<(InputView, Bounds)>,
    /// Bounds from facts and operands.
    bounds: FxHashMap<TermId, Bounds>,
    /// True if some term has no possible value.
    empty: bool,
    /// Orders between terms, while they are being collected.
    order: Option<Order>,
}

impl Known<'_> {
    /// Computes the bounds of each term from those of its operands and the facts.
    fn go_up(&mut self, terms: &[TermId]) {
        let view = |(id, fact): (&TermId, &Bounds)| Some((self.pool.input_view(*id)?, *fact));
        self.views = self.facts.iter().filter_map(view).collect();
        for &id in terms {
            let term = self.pool.term(id);
            if term.width() == 0 {
                continue;
            }
            let mut bounds = match self.pool.value(id) {
                Some(value) => Bounds::constant(term.width(), value),
                None if term.input().is_some() => self.as_part(&term),
                None if matches!(term.kind(), Kind::Op(_)) => {
                    let of: Vec<Bounds> = term.operands().map(|operand| self.bounds[&operand]).collect();
                    transfer(&term, &of)
                }
                None => arrays::selected(self.pool, &term, &|id| self.bounds[&id]),
            };
            if let Some(fact) = self.facts.get(&id) {
                bounds = bounds.meet(fact);
            }
            if bounds.is_empty() {
                self.empty = true;
                return;
            }
            self.bounds.insert(id, bounds);
        }
    }

    /// Returns known bits of this part of an input, from facts on wider views.
    fn as_part(&self, term: &Term) -> Bounds {
        let mut bounds = Bounds::any(term.width());
        let Some(view) = term.input() else { return bounds };
        for &(wide, fact) in &self.views {
            let inside = wide.input == view.input
                && wide.offset <= view.offset
                && view.offset + view.n_bytes() <= wide.offset + wide.n_bytes()
                && wide.width > view.width;
            if inside && !fact.is_empty() {
                let (low, full) = (8 * (view.offset - wide.offset), mask(view.width));
                let part = Bounds::with_bits(view.width, fact.zeros >> low & full, fact.ones >> low & full);
                bounds = bounds.meet(&part);
            }
        }
        bounds
    }

    /// Returns the bounds found so far.
    pub(super) fn of(&self, id: TermId) -> Bounds {
        let width = self.pool.width(id);
        let value = || self.pool.value(id).map(|value| Bounds::constant(width, value));
        let bounds = self.bounds.get(&id).copied().or_else(value).unwrap_or_else(|| Bounds::any(width));
        self.facts.get(&id).map_or(bounds, |fact| bounds.meet(fact))
    }

    fn fact(&mut self, id: TermId, fact: Bounds) {
        let known = self.facts.entry(id).or_insert_with(|| Bounds::any(fact.width));
        *known = known.meet(&fact);
        self.empty |= known.is_empty();
        let (known, term) = (*known, self.pool.term(id));
        // A fact on an extension restricts the extended value.
        let below = || term.operand(0);
        match term.op() {
            Some(Op::ZExt) if !known.is_empty() => {
                let width = self.pool.width(below());
                let bounds = if known.low > mask(width) {
                    Bounds { low: 1, high: 0, ..Bounds::any(width) }
                } else {
                    Bounds::between(width, known.low, known.high.min(mask(width)))
                };
                self.fact(below(), bounds);
            }
            Some(Op::SExt) if !known.is_empty() => {
                let width = self.pool.width(below());
                let any = Bounds::any(width);
                let low = known.signed_low.max(any.signed_low);
                let high = known.signed_high.min(any.signed_high);
                self.fact(below(), Bounds { signed_low: low, signed_high: high, ..any }.meet(&any));
            }
            _ => {}
        }
    }

    /// Derives facts on the operands of a condition that is true or false.
    fn assume(&mut self, condition: TermId, holds: bool) {
        let mut todo = vec![(condition, holds)];
        while let Some((id, holds)) = todo.pop() {
            self.fact(id, Bounds::bit(holds));
            let term = self.pool.term(id);
            let Some(op) = term.op() else { continue };
            match (op, holds) {
                (Op::Not, _) => todo.push((term.operand(0), !holds)),
                (Op::And, true) | (Op::Or, false) => todo.extend(term.operands().map(|operand| (operand, holds))),
                (Op::Or, true) => {
                    if let Some((x, bounds)) = one_of(self.pool, id) {
                        self.fact(x, bounds);
                    }
                }
                (Op::Eq, _) => self.equal(term.operand(0), term.operand(1), holds),
                // a ≥ b is b ≤ a.
                (Op::Ult, true) => self.less(term.operand(0), term.operand(1), true),
                (Op::Ult, false) => self.less(term.operand(1), term.operand(0), false),
                (Op::Ule, true) => self.less(term.operand(0), term.operand(1), false),
                (Op::Ule, false) => self.less(term.operand(1), term.operand(0), true),
                (Op::Slt, true) => self.less_signed(term.operand(0), term.operand(1), true),
                (Op::Slt, false) => self.less_signed(term.operand(1), term.operand(0), false),
                (Op::Sle, true) => self.less_signed(term.operand(0), term.operand(1), false),
                (Op::Sle, false) => self.less_signed(term.operand(1), term.operand(0), true),
                (Op::FLt, true) => self.less_float(term.operand(0), term.operand(1), true),
                (Op::FLt, false) => self.less_float(term.operand(1), term.operand(0), false),
                (Op::FLe, true) => self.less_float(term.operand(0), term.operand(1), false),
                (Op::FLe, false) => self.less_float(term.operand(1), term.operand(0), true),
                _ => {}
            }
        }
    }

    fn equal(&mut self, a: TermId, b: TermId, holds: bool) {
        let (of_a, of_b) = (self.of(a), self.of(b));
        if of_a.is_empty() || of_b.is_empty() {
            self.empty = true;
        } else if holds {
            for sign in [Sign::Unsigned, Sign::Signed] {
                self.ordered(sign, a, b, false);
                self.ordered(sign, b, a, false);
            }
            self.fact(a, of_b);
            self.fact(b, of_a);
        } else {
            if let Some(order) = &mut self.order {
                order.differ(a, b);
            }
            if let Some(value) = of_b.value() {
                self.fact(a, of_a.exclude(value));
            }
            if let Some(value) = of_a.value() {
                self.fact(b, of_b.exclude(value));
            }
        }
    }

    fn ordered(&mut self, sign: Sign, a: TermId, b: TermId, strict: bool) {
        if let Some(order) = &mut self.order {
            order.add(sign, a, b, strict);
        }
    }

    /// Derives facts from `a < b`, or `a ≤ b` if not strict.
    fn less(&mut self, a: TermId, b: TermId, strict: bool) {
        self.ordered(Sign::Unsigned, a, b, strict);
        let (of_a, of_b, step) = (self.of(a), self.of(b), strict as u128);
        match (of_b.high.checked_sub(step), of_a.low.checked_add(step)) {
            (Some(high), Some(low)) if low <= mask(of_b.width) => {
                self.fact(a, Bounds { high, ..Bounds::any(of_a.width) });
                self.fact(b, Bounds { low, ..Bounds::any(of_b.width) });
            }
            _ => self.empty = true,
        }
    }

    /// The same for floats that are known to have the same sign.
    fn less_float(&mut self, a: TermId, b: TermId, strict: bool) {
        let intervals = (Interval::of(&self.of(a)), Interval::of(&self.of(b)));
        let (Some(of_a), Some(of_b)) = intervals else { return };
        match (of_a.is_negative, of_b.is_negative) {
            (false, false) => self.less(a, b, strict),
            (true, true) => self.less(b, a, strict),
            _ => {}
        }
    }

    fn less_signed(&mut self, a: TermId, b: TermId, strict: bool) {
        self.ordered(Sign::Signed, a, b, strict);
        let (of_a, of_b, step) = (self.of(a), self.of(b), strict as i128);
        match (of_b.signed_high.checked_sub(step), of_a.signed_low.checked_add(step)) {
            (Some(signed_high), Some(signed_low)) => {
                self.fact(a, Bounds { signed_high, ..Bounds::any(of_a.width) });
                self.fact(b, Bounds { signed_low, ..Bounds::any(of_b.width) });
            }
            _ => self.empty = true,
        }
    }
}

impl Tier for Ranges {
    fn stats(&self, tiers: &mut Vec<TierStats>) {
        tiers.push(self.meter.stats());
        self.next.stats(tiers);
    }

    fn take_core(&mut self) -> Option<Vec<TermId>> {
        self.next.take_core()
    }

    fn forget(&mut self) {
        self.next.forget();
    }
}
