//! Guesses an input and sees whether it holds.
//!
//! ```text
//!   the goal fails            undo its operations: a few ways to make it hold, each changes one input or two
//!   a way breaks a constraint do the same with that constraint, from there, a few times
//!   one byte in all           try its 256 values: then the answer is certain either way
//! ```
//!
//! An input that holds is an answer; not finding one is none.

mod floats;
mod ways;

use tine_expr::{Answer, Assignment, Evaluator, InputByte, Query, TermId, TermPool};

use crate::stats::{Meter, Tier};
use ways::{Way, Ways};

/// Repairs one after the other.
const MAX_STEPS: usize = 4;
/// Constraints evaluated for one query.
const MAX_LOOKS: usize = 20_000;
/// Terms undone for one query.
const MAX_UNDONE: u32 = 2_000;

pub(crate) struct Guess {
    next: Box<dyn Tier>,
    evaluator: Evaluator,
    meter: Meter,
}

impl Guess {
    pub(crate) fn new(next: Box<dyn Tier>) -> Self {
        Self { next, evaluator: Evaluator::new(), meter: Meter::new("guess") }
    }

    fn guess(&mut self, pool: &TermPool, query: &Query<'_>) -> Option<Answer> {
        let mut search = Search { pool, query, evaluator: &mut self.evaluator, looks: 0 };
        match search.small() {
            None => search.repair(),
            known => known,
        }
    }
}

struct Search<'a, 'q> {
    pool: &'a TermPool,
    query: &'a Query<'q>,
    evaluator: &'a mut Evaluator,
    looks: usize,
}

impl Search<'_, '_> {
    /// How many conditions fail, and the first of them; stops counting behind `limit`.
    fn failing(&mut self, model: &Assignment, limit: usize) -> (usize, Option<TermId>) {
        let mut evaluation = self.evaluator.with(self.pool, model);
        let (mut n, mut first) = (0, None);
        for &condition in [self.query.goal].iter().chain(self.query.constraints) {
            self.looks += 1;
            if !evaluation.holds(condition) {
                n += 1;
                first = first.or(Some(condition));
                if n > limit {
                    break;
                }
            }
        }
        (n, first)
    }

    /// Goes from the hint to inputs under which fewer and fewer conditions fail.
    fn repair(&mut self) -> Option<Answer> {
        let mut model = self.query.hint.clone();
        let mut failing = self.query.goal;
        let mut undone = MAX_UNDONE;
        for _ in 0..MAX_STEPS {
            let ways = {
                let mut evaluation = self.evaluator.with(self.pool, &model);
                let mut ways = Ways { pool: self.pool, evaluation: &mut evaluation, budget: undone };
                let found = ways.find(failing, 1);
                undone = ways.budget;
                found
            };
            let mut best: Option<(usize, TermId, Way)> = None;
            for way in ways {
                let before: Way = way.iter().map(|&(view, _)| (view, read(&model, view))).collect();
                write(&mut model, &way);
                let limit = best.as_ref().map_or(usize::MAX, |(n, ..)| *n);
                match self.failing(&model, limit) {
                    (_, None) => return Some(self.answer(&model)),
                    // One that does not do what it is for leads nowhere.
                    (n, Some(first)) if n < limit && first != failing => best = Some((n, first, way)),
                    _ => {}
                }
                write(&mut model, &before);
                if self.looks > MAX_LOOKS {
                    return None;
                }
            }
            let (_, first, way) = best?;
            write(&mut model, &way);
            failing = first;
        }
        None
    }

    /// All values, where everything is about one byte.
    fn small(&mut self) -> Option<Answer> {
        let conditions = self.query.constraints.iter().copied().chain([self.query.goal]);
        let [range] = self.pool.support_of_all(conditions)[..] else { return None };
        if range.end - range.start > 1 || self.query.constraints.len() * 256 > MAX_LOOKS {
            return None;
        }
        let mut model = self.query.hint.clone();
        for value in 0..=u8::MAX {
            model.set(range.input, range.start, value);
            let mut evaluation = self.evaluator.with(self.pool, &model);
            let holds = |&condition: &TermId| evaluation.holds(condition);
            if [self.query.goal].iter().chain(self.query.constraints).all(holds) {
                return Some(self.answer(&model));
            }
        }
        Some(Answer::Unsat)
    }

    /// Where the model differs from the hint.
    fn answer(&self, model: &Assignment) -> Answer {
        let mut changes = Vec::new();
        let conditions = self.query.constraints.iter().copied().chain([self.query.goal]);
        for range in self.pool.support_of_all(conditions) {
            for offset in range.start..range.end {
                let value = model.get(range.input, offset);
                if value != self.query.hint.get(range.input, offset) {
                    changes.push(InputByte { input: range.input, offset, value });
                }
            }
        }
        Answer::Sat(changes)
    }
}

fn read(model: &Assignment, view: tine_expr::InputView) -> u128 {
    model.read(view.input, view.offset, view.width)
}

fn write(model: &mut Assignment, way: &[(tine_expr::InputView, u128)]) {
    for &(view, value) in way {
        model.write(view.input, view.offset, view.width, value);
    }
}

looks_or_passes_on!(Guess, guess);
