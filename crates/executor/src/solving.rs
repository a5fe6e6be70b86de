//! From a flipped decision to inputs: the query, and the possible values of input pointers.

use std::ops::Range;

use tine_expr::{Answer, Assignment, Query, Reason, Solver, TermId, TermPool, independent_slice};
use tine_solver::Chain;
use tine_trace::plan::MAX_SLOTS;
use tine_types::Input;

use crate::graph::Shapes;
use crate::graph::domains::{Asked, Domains, Goal, compares_with_others, domains_of, looks_at_addresses};
use crate::graph::numbers::{self, Refused, numbers};
use crate::graph::settle::settle;
use crate::import::Trace;
use crate::memory::{self, Layout, Memory, Model};

/// A query: the path so far, and the branch side to take next.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) trace: &'a Trace,
    /// Constraints of the events from number `first` on, up to the flipped one.
    pub(crate) prefix: &'a [TermId],
    pub(crate) first: usize,
    pub(crate) goal: TermId,
    /// Input and offset of the pointer whose use the goal is about.
    pub(crate) used: Option<(u32, u32)>,
    /// Pointers may hold numbers.
    pub(crate) numbers: bool,
}

/// Context for solving.
pub(crate) struct Means<'a> {
    pub(crate) chain: &'a mut Chain,
    pub(crate) pool: &'a mut TermPool,
    pub(crate) shapes: &'a Shapes,
    pub(crate) memory: Memory,
    /// Fills new memory.
    pub(crate) seed: u64,
    /// Memory of the program under test, its variables and functions.
    pub(crate) program: &'a [Range<u64>],
}

pub(crate) enum Solved {
    Inputs(Input),
    Unsat,
    /// A solution with more objects may exist.
    Bounded,
    /// A solution in which an enumeration has a value that is not an enumerator may exist.
    NoEnumerator,
    /// A solution with objects at other addresses may exist.
    Elsewhere,
    Unknown(String),
    /// The solver reached one of its limits, or was interrupted.
    GaveUp(String),
}

/// Finds inputs that differ from `inputs` only where the question needs it. `hint` has the bytes of `inputs`. `moving`:
/// objects that are already in use may have to move.
pub(crate) fn solve(
    means: &mut Means<'_>,
    question: &Question<'_>,
    inputs: &Input,
    hint: &Assignment,
    moving: bool,
) -> Solved {
    let numbers_first = question.numbers && numbers::come_first(means.shapes, means.pool, inputs, question.goal);
    if numbers_first && let Some(solved) = solve_numbers(means, question, inputs, hint) {
        match solved {
            (Solved::Inputs(_), _) | (Solved::Unsat, true) => return solved.0,
            _ => {}
        }
    }
    let solved = solve_pointers(means, question, inputs, hint, moving);
    let may_be_number = question.numbers && !numbers_first && means.shapes.has_roots();
    if may_be_number
        && matches!(solved, Solved::Unsat | Solved::Elsewhere | Solved::Unknown(_))
        && let Some((other, _)) = solve_numbers(means, question, inputs, hint)
        && !matches!(other, Solved::Unsat)
    {
        return other;
    }
    solved
}

/// Solves with pointers that are NULL or point to objects.
fn solve_pointers(
    means: &mut Means<'_>,
    question: &Question<'_>,
    inputs: &Input,
    hint: &Assignment,
    moving: bool,
) -> Solved {
    let is_forced = matches!(means.memory.model, Model::Typed | Model::Primitive);
    if !means.shapes.has_roots() || !moving && !is_forced {
        return solve_places(means, question, inputs, hint);
    }
    if means.memory.model == Model::Logical {
        return Solved::Unknown(LOGICAL.to_owned());
    }
    let layout = if moving || asks_for_addresses(means, question, inputs) { Layout::Slots } else { Layout::Free };
    memory::solve(means, question, inputs, hint, layout).unwrap_or_else(|| solve_places(means, question, inputs, hint))
}

const LOGICAL: &str = "addresses are not computed with under --memory logical";

/// Solves with a list of possible targets for each pointer.
fn solve_places(means: &mut Means<'_>, question: &Question<'_>, inputs: &Input, hint: &Assignment) -> Solved {
    let &Question { trace, prefix, goal, .. } = question;
    let Means { chain, pool, shapes, memory, seed, program } = means;
    let touched = |slot: u32| trace.aliasing_choices().touched(slot);
    let mut sliced = Vec::new();
    let mut constraints = prefix;
    let mut domains = Domains::default();
    if shapes.has_roots() {
        (sliced, domains) = slice(pool, shapes, inputs, &touched, prefix, goal, question.used);
        chain.left_out(prefix.len() - sliced.len());
        constraints = &sliced;
    }
    if domains.asked == Asked::Addresses {
        return match memory.model {
            Model::Logical => Solved::Unknown(LOGICAL.to_owned()),
            _ => memory::solve(means, question, inputs, hint, Layout::Slots).unwrap_or(Solved::Bounded),
        };
    }
    let query = Query { constraints, goal, hint, domains: &domains.list };
    match chain.check(pool, &query) {
        Answer::Unsat => {
            let mut terms = sliced.iter().copied().chain([goal]);
            if domains.is_bounded {
                // Was the bound the reason?
                let goal = Goal { term: goal, used: question.used };
                domains = domains_of(shapes, pool, inputs, &touched, terms.clone(), goal, MAX_SLOTS);
                let query = Query { constraints, goal: goal.term, hint, domains: &domains.list };
                if domains.is_bounded || !matches!(chain.check(pool, &query), Answer::Unsat) {
                    return Solved::Bounded;
                }
            }
            if let Some(list) = domains.with_any_enum() {
                let query = Query { constraints, goal, hint, domains: &list };
                if !matches!(chain.check(pool, &query), Answer::Unsat) {
                    return Solved::NoEnumerator;
                }
            }
            if looks_at_addresses(pool, shapes, inputs, terms.clone()) {
                // Try other addresses for objects that the path has used.
                return match memory.model {
                    Model::Logical => Solved::Unknown(LOGICAL.to_owned()),
                    _ => memory::solve(means, question, inputs, hint, Layout::Slots).unwrap_or(Solved::Bounded),
                };
            }
            refuted(pool, &domains, &mut terms, program)
        }
        Answer::Unknown(reason @ (Reason::Timeout | Reason::Memory | Reason::Crashed(_))) => {
            Solved::GaveUp(reason.to_string())
        }
        Answer::Unknown(reason) => Solved::Unknown(reason.to_string()),
        Answer::Sat(changes) => {
            let mut assignment = hint.clone();
            assignment.overlay(&changes);
            let next = settle(shapes, inputs, &assignment, *seed);
            // Pointers of several types may each have used the last free object.
            if next.objects.len() > shapes.max_objects() as usize { Solved::Bounded } else { Solved::Inputs(next) }
        }
    }
}

/// Solves with numbers in pointers that the path has not used, if the question is about more than targets. Also returns
/// whether the result holds for objects at any addresses.
fn solve_numbers(
    means: &mut Means<'_>,
    question: &Question<'_>,
    inputs: &Input,
    hint: &Assignment,
) -> Option<(Solved, bool)> {
    let &Question { trace, prefix, goal, used, .. } = question;
    let Means { chain, pool, shapes, seed, program, .. } = means;
    let touched = |slot: u32| trace.aliasing_choices().touched(slot);
    let (sliced, domains) = slice(pool, shapes, inputs, &touched, prefix, goal, used);
    let terms: Vec<TermId> = sliced.iter().copied().chain([goal]).collect();
    let numbers = match numbers(shapes, pool, inputs, &terms, &domains.list, used, program) {
        Ok(numbers) => numbers,
        Err(Refused::Useless) => return None,
        Err(Refused::TooLarge) => {
            return Some((Solved::Unknown("numbers in pointers of large structures".to_owned()), false));
        }
    };
    let constraints = [sliced, numbers.constraints].concat();
    let query = Query { constraints: &constraints, goal, hint, domains: &numbers.domains };
    let solved = match chain.check(pool, &query) {
        Answer::Unsat => Solved::Unsat,
        Answer::Unknown(reason @ (Reason::Timeout | Reason::Memory | Reason::Crashed(_))) => {
            Solved::GaveUp(reason.to_string())
        }
        Answer::Unknown(reason) => Solved::Unknown(reason.to_string()),
        Answer::Sat(changes) => {
            let mut assignment = hint.clone();
            assignment.overlay(&changes);
            let next = settle(shapes, inputs, &assignment, *seed);
            (next.objects.len() <= shapes.max_objects() as usize).then_some(Solved::Inputs(next))?
        }
    };
    Some((solved, numbers.is_exact))
}

/// Relevant part of a path for a goal, with the domains of its cells.
pub(crate) fn slice(
    pool: &TermPool,
    shapes: &Shapes,
    inputs: &Input,
    touched: &dyn Fn(u32) -> u32,
    path: &[TermId],
    goal: TermId,
    used: Option<(u32, u32)>,
) -> (Vec<TermId>, Domains) {
    let mut sliced: Vec<TermId> = Vec::new();
    let mut domains = Domains::default();
    loop {
        let before = sliced.len();
        sliced = independent_slice(pool, path, goal, &domains.list);
        // If the part mentions bytes of a pointer, add the constraints on its other bytes.
        if sliced.len() == before && !domains.list.is_empty() {
            return (sliced, domains);
        }
        let terms = sliced.iter().copied().chain([goal]);
        domains = domains_of(shapes, pool, inputs, touched, terms, Goal { term: goal, used }, shapes.max_objects());
        if domains.list.is_empty() {
            return (sliced, domains);
        }
    }
}

/// Result for an unsatisfiable query: infeasible, unless values were left out.
pub(crate) fn refuted(
    pool: &TermPool,
    domains: &Domains,
    terms: &mut dyn Iterator<Item = TermId>,
    program: &[Range<u64>],
) -> Solved {
    if domains.is_cut {
        Solved::Unknown("pointers into large objects".to_owned())
    } else if compares_with_others(pool, &domains.list, terms, program) {
        Solved::Unknown("input pointers to the program's own variables".to_owned())
    } else {
        Solved::Unsat
    }
}

/// True if goal or path depend on more than the equality of pointers.
fn asks_for_addresses(means: &Means<'_>, question: &Question<'_>, inputs: &Input) -> bool {
    let terms = question.prefix.iter().copied().chain([question.goal]);
    let touched = |slot: u32| question.trace.aliasing_choices().touched(slot);
    let shapes = means.shapes;
    let goal = Goal { term: question.goal, used: question.used };
    let domains = domains_of(shapes, means.pool, inputs, &touched, terms, goal, shapes.max_objects());
    domains.asked == Asked::Addresses || domains.has_arithmetic
}
