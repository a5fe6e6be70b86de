//! From a flipped decision to inputs: the query, with what pointers among the inputs may be.

use tine_expr::{Answer, Assignment, Query, Reason, Solver, TermId, TermPool, independent_slice};
use tine_solver::Chain;
use tine_trace::plan::MAX_SLOTS;

use crate::cases::CaseInputs;
use crate::graph::Shapes;
use crate::graph::domains::{Domains, compares_with_others, domains_of};
use crate::graph::settle::settle;
use crate::import::Trace;

/// What is asked of the solver: the path so far, and where to go from there.
pub(crate) struct Question<'a> {
    pub(crate) trace: &'a Trace,
    pub(crate) prefix: &'a [TermId],
    pub(crate) goal: TermId,
}

pub(crate) enum Solved {
    Inputs(CaseInputs),
    Unsat,
    /// There may be a solution with more objects.
    Bounded,
    /// There may be a solution with objects at other addresses.
    Elsewhere,
    Unknown(String),
    /// The solver came to one of its limits.
    GaveUp(String),
}

/// Finds inputs that differ from `inputs`, which `hint` has the bytes of, where the question asks for it.
pub(crate) fn solve(
    chain: &mut Chain,
    pool: &mut TermPool,
    shapes: &Shapes,
    question: &Question<'_>,
    inputs: &CaseInputs,
    hint: &Assignment,
    seed: u64,
) -> Solved {
    let &Question { trace, prefix, goal } = question;
    let touched = |slot: u32| trace.placements().touched(slot);
    let mut sliced = Vec::new();
    let mut constraints = prefix;
    let mut domains = Domains::default();
    if shapes.has_roots() {
        loop {
            let before = sliced.len();
            sliced = independent_slice(pool, prefix, goal, &domains.list);
            // A pointer of which a part is mentioned brings what mentions the rest.
            if sliced.len() == before && !domains.list.is_empty() {
                break;
            }
            let terms = sliced.iter().copied().chain([goal]);
            domains = domains_of(shapes, pool, inputs, &touched, terms, goal, shapes.max_objects());
            if domains.list.is_empty() {
                break;
            }
        }
        chain.left_out(prefix.len() - sliced.len());
        constraints = &sliced;
    }
    let query = Query { constraints, goal, hint, domains: &domains.list };
    match chain.check(pool, &query) {
        Answer::Unsat => {
            let mut terms = sliced.iter().copied().chain([goal]);
            if domains.is_bounded {
                // Was it the bound?
                domains = domains_of(shapes, pool, inputs, &touched, terms.clone(), goal, MAX_SLOTS);
                let query = Query { constraints, goal, hint, domains: &domains.list };
                if domains.is_bounded || !matches!(chain.check(pool, &query), Answer::Unsat) {
                    return Solved::Bounded;
                }
            }
            if domains.is_cut {
                return Solved::Unknown("pointers into large objects".to_owned());
            }
            if compares_with_others(pool, &domains.list, &mut terms) {
                return Solved::Unknown("input pointers to the program's own variables".to_owned());
            }
            if domains.is_sampled {
                return Solved::Elsewhere;
            }
            Solved::Unsat
        }
        Answer::Unknown(reason @ (Reason::Timeout | Reason::Memory)) => Solved::GaveUp(reason.to_string()),
        Answer::Unknown(reason) => Solved::Unknown(reason.to_string()),
        Answer::Sat(changes) => {
            let mut assignment = hint.clone();
            assignment.overlay(&changes);
            let next = settle(shapes, inputs, &assignment, seed);
            // Pointers of several types may each have wanted the last that there was.
            if next.objects.len() > shapes.max_objects() as usize { Solved::Bounded } else { Solved::Inputs(next) }
        }
    }
}
