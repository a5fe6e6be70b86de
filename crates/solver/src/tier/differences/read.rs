//! Reads conditions as bounds on differences.
//!
//! A term of `w` bits is `a - b + k` modulo 2ʷ, where `a` and `b` are opaque terms. Its value as a signed or unsigned
//! number is that sum plus a multiple of 2ʷ. Each possible multiple is a case.

use rustc_hash::FxHashMap;
use tine_expr::{TermId, TermPool};
use tine_trace::eval::signed;
use tine_trace::op::Op;

use super::bounds::{Atom, Variable};

/// Maximum number of variables. Queries with more are passed on.
const MAX_NUMBERS: usize = 40;
/// Maximum number of cases per condition. Conditions with more are left out.
const MAX_CASES: usize = 16;
/// Wider terms are left out.
const MAX_WIDTH: u32 = 64;
/// Maximum nesting of conditions.
const MAX_DEPTH: u32 = 8;

/// Atoms that hold together.
pub(super) type Case = Vec<Atom>;
/// Alternative cases, of which at least one holds.
pub(super) type Clause = Vec<Case>;

/// A term as an integer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) term: TermId,
    pub(super) width: u32,
    pub(super) is_signed: bool,
}

impl Number {
    /// Returns the least and the greatest value.
    pub(super) fn range(&self) -> (i128, i128) {
        range(self.width, self.is_signed)
    }
}

/// The conditions that were read, and their variables.
pub(super) struct Problem {
    pub(super) numbers: Vec<Number>,
    pub(super) clauses: Vec<Clause>,
}

/// `plus - minus + constant`, modulo a power of two.
#[derive(Clone, Copy, Debug)]
struct Sum {
    plus: Variable,
    minus: Variable,
    constant: i128,
}

pub(super) struct Reader<'p> {
    pool: &'p TermPool,
    problem: Problem,
    /// Variables by term and sign.
    variables: FxHashMap<(TermId, bool), Variable>,
}

impl<'p> Reader<'p> {
    pub(super) fn new(pool: &'p TermPool) -> Self {
        let problem = Problem { numbers: Vec::new(), clauses: Vec::new() };
        Self { pool, problem, variables: FxHashMap::default() }
    }

    /// Reads a condition that holds. True if it concerns a difference of two terms.
    pub(super) fn assume(&mut self, condition: TermId) -> bool {
        let Some(clause) = self.read(condition, true, MAX_DEPTH) else { return false };
        let is_difference = clause.iter().flatten().any(|atom| atom.a != 0 && atom.b != 0);
        self.problem.clauses.push(clause);
        is_difference
    }

    /// The problem, if it is not too large.
    pub(super) fn finish(self) -> Option<Problem> {
        (self.problem.numbers.len() <= MAX_NUMBERS).then_some(self.problem)
    }

    fn read(&mut self, condition: TermId, holds: bool, depth: u32) -> Option<Clause> {
        let term = self.pool.term(condition);
        let operand = |k: usize| term.operand(k);
        let depth = depth.checked_sub(1)?;
        match (term.op()?, holds) {
            (Op::Not, _) => self.read(operand(0), !holds, depth),
            (Op::And, true) | (Op::Or, false) => self.both(operand(0), operand(1), holds, depth),
            (Op::And, false) | (Op::Or, true) => self.either(operand(0), operand(1), holds, depth),
            (Op::Eq, true) => self.between(operand(0), operand(1), true, (0, 0)),
            (Op::Eq, false) => {
                let below = self.between(operand(0), operand(1), true, (i128::MIN, -1))?;
                let above = self.between(operand(0), operand(1), true, (1, i128::MAX))?;
                Some([below, above].concat())
            }
            // The opposite comparison with exchanged operands is the negation.
            (Op::Slt, true) => self.between(operand(0), operand(1), true, (i128::MIN, -1)),
            (Op::Sle, false) => self.between(operand(1), operand(0), true, (i128::MIN, -1)),
            (Op::Sle, true) => self.between(operand(0), operand(1), true, (i128::MIN, 0)),
            (Op::Slt, false) => self.between(operand(1), operand(0), true, (i128::MIN, 0)),
            (Op::Ult, true) => self.between(operand(0), operand(1), false, (i128::MIN, -1)),
            (Op::Ule, false) => self.between(operand(1), operand(0), false, (i128::MIN, -1)),
            (Op::Ule, true) => self.between(operand(0), operand(1), false, (i128::MIN, 0)),
            (Op::Ult, false) => self.between(operand(1), operand(0), false, (i128::MIN, 0)),
            (Op::SSubO, _) => {
                let (least, most) = range(self.width(operand(0))?, true);
                if !holds {
                    return self.between(operand(0), operand(1), true, (least, most));
                }
                let below = self.between(operand(0), operand(1), true, (i128::MIN, least - 1))?;
                let above = self.between(operand(0), operand(1), true, (most + 1, i128::MAX))?;
                Some([below, above].concat())
            }
            _ => None,
        }
    }

    /// Combines two conditions. One that cannot be read is left out.
    fn both(&mut self, a: TermId, b: TermId, holds: bool, depth: u32) -> Option<Clause> {
        let (a, b) = match (self.read(a, holds, depth), self.read(b, holds, depth)) {
            (Some(a), Some(b)) => (a, b),
            (one, other) => return one.or(other),
        };
        if a.len() * b.len() > MAX_CASES {
            return Some(if a.len() < b.len() { a } else { b });
        }
        Some(a.iter().flat_map(|a| b.iter().map(|b| [a.as_slice(), b].concat())).collect())
    }

    fn either(&mut self, a: TermId, b: TermId, holds: bool, depth: u32) -> Option<Clause> {
        let cases = [self.read(a, holds, depth)?, self.read(b, holds, depth)?].concat();
        (cases.len() <= MAX_CASES).then_some(cases)
    }

    /// Reads `low ≤ x - y ≤ high`, where `is_signed` applies to both numbers.
    fn between(&mut self, x: TermId, y: TermId, is_signed: bool, (low, high): (i128, i128)) -> Option<Clause> {
        let width = self.width(x)?;
        let (mut sum_x, mut sum_y) = (self.sum(x, is_signed)?, self.sum(y, is_signed)?);
        // Two differences have too many variables. A difference and a constant do not.
        let is_constant = |sum: &Sum| sum.plus == 0 && sum.minus == 0;
        if sum_x.minus != 0 && !is_constant(&sum_y) {
            sum_x = Sum { plus: self.variable(x, is_signed)?, minus: 0, constant: 0 };
        }
        if sum_y.minus != 0 && !is_constant(&sum_x) {
            sum_y = Sum { plus: self.variable(y, is_signed)?, minus: 0, constant: 0 };
        }
        let (n_x, n_y) = (self.multiples(&sum_x, width, is_signed), self.multiples(&sum_y, width, is_signed));
        let ends = range(width, is_signed);
        let mut clause = Vec::new();
        for by_x in n_x {
            for &by_y in &n_y {
                let (k_x, k_y) = (sum_x.constant + by_x, sum_y.constant + by_y);
                let mut case: Case = self.in_range(&sum_x, k_x, ends).into_iter().collect();
                case.extend(self.in_range(&sum_y, k_y, ends));
                let by = k_x - k_y;
                let bounds = (low.saturating_sub(by), high.saturating_sub(by));
                case.push(match (sum_x.plus, sum_x.minus, sum_y.plus, sum_y.minus) {
                    (a, b, 0, 0) => atom(a, b, bounds),
                    (0, 0, b, a) => atom(a, b, bounds),
                    (a, _, b, _) => atom(a, b, bounds),
                });
                if case.iter().all(|atom| self.is_possible(atom)) {
                    clause.push(case);
                }
            }
        }
        (clause.len() <= MAX_CASES).then_some(clause)
    }

    /// Returns the atom that keeps a term in its range, unless this is already known.
    fn in_range(&self, sum: &Sum, constant: i128, (least, most): (i128, i128)) -> Option<Atom> {
        let (low, high) = self.ends(sum);
        let is_known = low + constant >= least && high + constant <= most;
        (!is_known).then(|| atom(sum.plus, sum.minus, (least - constant, most - constant)))
    }

    /// Returns the multiples of 2ʷ that can move the sum into the range of its term.
    fn multiples(&self, sum: &Sum, width: u32, is_signed: bool) -> Vec<i128> {
        let ((low, high), (least, most)) = (self.ends(sum), range(width, is_signed));
        let (low, high) = (low + sum.constant, high + sum.constant);
        let size = 1i128 << width;
        let first = (least - high).div_euclid(size);
        (first..first + 6).map(|n| n * size).filter(|by| high + by >= least && low + by <= most).collect()
    }

    /// Returns the range of `plus - minus`.
    fn ends(&self, sum: &Sum) -> (i128, i128) {
        let ((low, high), (least, most)) = (self.range_of(sum.plus), self.range_of(sum.minus));
        (low - most, high - least)
    }

    fn range_of(&self, variable: Variable) -> (i128, i128) {
        if variable == 0 { (0, 0) } else { self.problem.numbers[variable - 1].range() }
    }

    fn is_possible(&self, atom: &Atom) -> bool {
        let (low, high) = self.ends(&Sum { plus: atom.a, minus: atom.b, constant: 0 });
        if atom.a == atom.b { atom.low <= 0 && atom.high >= 0 } else { atom.low <= high && atom.high >= low }
    }

    fn width(&self, id: TermId) -> Option<u32> {
        Some(self.pool.width(id)).filter(|width| (1..=MAX_WIDTH).contains(width))
    }

    /// Reads a term as a sum.
    fn sum(&mut self, id: TermId, is_signed: bool) -> Option<Sum> {
        let width = self.width(id)?;
        let (mut id, mut constant) = (id, 0i128);
        loop {
            let term = self.pool.term(id);
            if let Some(value) = self.pool.value(id) {
                let constant = wrapped(width, constant + value as i128, is_signed);
                return Some(Sum { plus: 0, minus: 0, constant });
            }
            if term.op() != Some(Op::Add) {
                break;
            }
            let Some(value) = self.pool.value(term.operand(1)) else { break };
            constant += value as i128;
            id = term.operand(0);
        }
        // Normalise to the smallest magnitude, so that few multiples are possible.
        let constant = wrapped(width, constant, true);
        let term = self.pool.term(id);
        if term.op() == Some(Op::Sub) {
            let mut side = |k: usize| match self.pool.value(term.operand(k)) {
                Some(value) => Some((0, wrapped(width, value as i128, true))),
                None => Some((self.variable(term.operand(k), is_signed)?, 0)),
            };
            let ((plus, more), (minus, less)) = (side(0)?, side(1)?);
            return Some(Sum { plus, minus, constant: constant + more - less });
        }
        Some(Sum { plus: self.variable(id, is_signed)?, minus: 0, constant })
    }

    /// Returns the variable of a term. Modulo 2ʷ the sign does not matter, so the first use of a term determines it. An
    /// extended term has the value of the shorter one as a number with that sign.
    fn variable(&mut self, id: TermId, is_signed: bool) -> Option<Variable> {
        let term = self.pool.term(id);
        let (id, sign) = match term.op() {
            Some(op @ (Op::SExt | Op::ZExt)) => (term.operand(0), Some(op == Op::SExt)),
            _ => (id, None),
        };
        let width = self.width(id)?;
        let is_signed = sign.unwrap_or(is_signed);
        let known = |is_signed: bool| self.variables.get(&(id, is_signed)).copied();
        if let Some(variable) = known(is_signed).or_else(|| known(!is_signed).filter(|_| sign.is_none())) {
            return Some(variable);
        }
        self.problem.numbers.push(Number { term: id, width, is_signed });
        let variable = self.problem.numbers.len();
        self.variables.insert((id, is_signed), variable);
        Some(variable)
    }
}

fn atom(a: Variable, b: Variable, (low, high): (i128, i128)) -> Atom {
    // More than all differences of numbers, but far from overflow.
    let most = 1i128 << 100;
    Atom { a, b, low: low.clamp(-most, most), high: high.clamp(-most, most) }
}

/// Returns the least and the greatest number of a width.
fn range(width: u32, is_signed: bool) -> (i128, i128) {
    let size = 1i128 << width;
    if is_signed { (-(size / 2), size / 2 - 1) } else { (0, size - 1) }
}

/// Returns the value of a term that is equal to this number modulo 2ʷ.
fn wrapped(width: u32, value: i128, is_signed: bool) -> i128 {
    let low = value.rem_euclid(1 << width);
    if is_signed { signed(width, low as u128) } else { low }
}
