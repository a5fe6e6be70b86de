//! Goals that state the value of an input: `input == constant`, typical of every `case` and of most parsers.
//!
//! The input gets that value, and the constraints are evaluated:
//!
//! ```text
//!   all hold                                             sat
//!   one fails that depends on nothing else               unsat
//!   one fails, but other bytes could make it hold        passed on to the next tier
//! ```

use tine_expr::{Answer, Evaluator, InputByte, InputView, Query, TermId, TermPool};
use tine_trace::op::Op;

use crate::stats::{Meter, Tier};

pub(crate) struct Direct {
    next: Box<dyn Tier>,
    evaluator: Evaluator,
    meter: Meter,
}

impl Direct {
    pub(crate) fn new(next: Box<dyn Tier>) -> Self {
        Self { next, evaluator: Evaluator::new(), meter: Meter::new("direct") }
    }

    fn try_value(&mut self, pool: &TermPool, query: &Query<'_>) -> Option<Answer> {
        let (view, value) = demanded(pool, query.goal)?;
        let bytes = (0..view.n_bytes()).map(|k| (view.offset + k, (value >> (8 * k)) as u8));
        let changes: Vec<InputByte> = bytes
            .filter(|&(offset, value)| query.hint.get(view.input, offset) != value)
            .map(|(offset, value)| InputByte { input: view.input, offset, value })
            .collect();
        let mut model = query.hint.clone();
        model.overlay(&changes);
        let mut evaluation = self.evaluator.with(pool, &model);
        let mut all_hold = true;
        for &constraint in query.constraints {
            if !evaluation.holds(constraint) {
                if lies_within(pool, constraint, view) {
                    return Some(Answer::Unsat);
                }
                all_hold = false;
            }
        }
        all_hold.then_some(Answer::Sat(changes))
    }
}

/// Returns the input whose value a goal states, and that value.
fn demanded(pool: &TermPool, goal: TermId) -> Option<(InputView, u128)> {
    let term = pool.term(goal);
    if term.op() != Some(Op::Eq) {
        return None;
    }
    let (a, b) = (term.operand(0), term.operand(1));
    let pair = |input: TermId, constant: TermId| Some((pool.input_view(input)?, pool.value(constant)?));
    pair(a, b).or_else(|| pair(b, a))
}

/// True if a term depends only on bytes of `view`.
fn lies_within(pool: &TermPool, term: TermId, view: InputView) -> bool {
    let bytes = view.offset..=view.offset + view.n_bytes();
    let inside = |range: &tine_expr::ByteRange| bytes.contains(&range.start) && bytes.contains(&range.end);
    pool.support(term).iter().all(|range| range.input == view.input && inside(range))
}

looks_or_passes_on!(Direct, try_value);
