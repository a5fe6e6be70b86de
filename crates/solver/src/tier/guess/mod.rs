//! Guesses inputs and evaluates them.
//!
//! ```text
//!   the goal fails            undo its operations: a few ways to make it hold, each changes one input or two
//!   a way breaks a constraint do the same with that constraint, from there, a few times
//!   only one byte             try its 256 values, which decides the query
//!   none of these succeeds    try the constants of the query, and the ends of the range, on one input or all
//! ```
//!
//! An input that satisfies the query is an answer. A failed search is not.

mod floats;
mod ways;

use rustc_hash::FxHashSet;
use tine_expr::{Answer, Assignment, Evaluator, InputByte, InputView, Query, TermId, TermPool};
use tine_trace::eval::mask;

use crate::stats::{Meter, Tier};
use ways::{Way, Ways};

/// Maximum number of consecutive repairs.
const MAX_STEPS: usize = 4;
/// Maximum number of constraints evaluated for one query.
const MAX_LOOKS: usize = 20_000;
/// Maximum number of terms and inputs of a query for trying constants.
const MAX_MENTIONED: usize = 200;
const MAX_VIEWS: usize = 6;
/// Maximum number of terms undone for one query.
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
            None => search.repair().or_else(|| search.constants()),
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
    /// Returns the number of failing conditions and the first one. Stops counting when the number exceeds `limit`.
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

    /// Moves from the hint to inputs with fewer and fewer failing conditions.
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
                    // Ignore a way that does not make its own condition hold.
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

    /// Tries all values if the query depends on one byte only.
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

    /// Tries inputs, one by one or all of one width together, at values that the query mentions and at the ends of
    /// their range.
    fn constants(&mut self) -> Option<Answer> {
        let Mentioned { views, values } = mentioned(self.pool, self.query)?;
        let mut model = self.query.hint.clone();
        for &(width, value) in &values {
            let fitting: Way = views.iter().filter(|view| view.width == width).map(|&view| (view, value)).collect();
            let together = (fitting.len() > 1).then_some(&fitting[..]);
            for way in together.into_iter().chain(fitting.chunks(1)) {
                let before: Way = way.iter().map(|&(view, _)| (view, read(&model, view))).collect();
                write(&mut model, way);
                if self.failing(&model, 0).1.is_none() {
                    return Some(self.answer(&model));
                }
                write(&mut model, &before);
                if self.looks > MAX_LOOKS {
                    return None;
                }
            }
        }
        None
    }

    /// Differences between the model and the hint.
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

/// Inputs and values of a query.
struct Mentioned {
    views: Vec<InputView>,
    /// Values to try, each with the width of its inputs.
    values: Vec<(u32, u128)>,
}

/// Returns `None` if there is too much to try.
fn mentioned(pool: &TermPool, query: &Query<'_>) -> Option<Mentioned> {
    let mut todo = vec![query.goal];
    todo.extend(query.constraints.iter().rev());
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let (mut views, mut values, mut floats) = (Vec::new(), Vec::new(), false);
    while let Some(id) = todo.pop() {
        if !seen.insert(id) {
            continue;
        }
        if seen.len() > MAX_MENTIONED {
            return None;
        }
        let term = pool.term(id);
        views.extend(term.input());
        if let Some(value) = pool.value(id) {
            values.push((term.width(), value));
        }
        floats |= term.op().is_some_and(tine_expr::value::gives_float);
        todo.extend(term.operands());
    }
    if views.len() > MAX_VIEWS {
        return None;
    }
    let mut widths: Vec<u32> = views.iter().map(|view| view.width).collect();
    widths.sort_unstable();
    widths.dedup();
    values.retain(|(width, _)| widths.contains(width));
    for width in widths {
        let top = mask(width) >> 1;
        values.extend([top, top + 1, mask(width), 0, 1].map(|value| (width, value)));
        if floats && (width == 32 || width == 64) {
            values.extend(floats::EDGES.map(|edge| (width, floats::bits(width, edge))));
        }
    }
    values.sort_unstable();
    values.dedup();
    Some(Mentioned { views, values })
}

fn read(model: &Assignment, view: InputView) -> u128 {
    model.read(view.input, view.offset, view.width)
}

fn write(model: &mut Assignment, way: &[(InputView, u128)]) {
    for &(view, value) in way {
        model.write(view.input, view.offset, view.width, value);
    }
}

looks_or_passes_on!(Guess, guess);
