//! Future-time formulas over finite runs as automata, by progression: each event turns the formula into one for the
//! rest of the run.

use std::collections::BTreeSet;

use crate::monitor::Rules;
use crate::syntax::{Formula, PropositionId};

/// A future-time formula for the run from its first event on.
#[derive(Debug)]
pub(crate) struct Future {
    start: State,
}

/// Obligations for the rest of the run in disjunctive normal form: all of one set must hold. There are finitely many,
/// because every obligation is a part of the formula.
pub(crate) type State = BTreeSet<BTreeSet<Obligation>>;

/// A formula in negation normal form. Conjunctions and disjunctions are sets, so that equal formulas are identical.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Obligation {
    Event(PropositionId),
    NotEvent(PropositionId),
    /// An empty conjunction is true.
    All(BTreeSet<Obligation>),
    /// An empty disjunction is false.
    Any(BTreeSet<Obligation>),
    Next(Box<Obligation>),
    /// True at the following event, or if there is none.
    WeakNext(Box<Obligation>),
    Until(Box<Obligation>, Box<Obligation>),
    /// The right side holds up to and including the event at which the left side holds, or to the end.
    Release(Box<Obligation>, Box<Obligation>),
}

impl Future {
    pub(crate) fn new(formula: &Formula) -> Future {
        Future { start: alternatives(&normal(formula, true)) }
    }
}

impl Rules for Future {
    type State = State;

    fn start(&self) -> State {
        self.start.clone()
    }

    fn next(&self, state: &State, letter: u128) -> Option<State> {
        let rest = state.iter().map(|set| all(set.iter().map(|obligation| progress(obligation, letter))));
        Some(alternatives(&any(rest))).filter(|next| !next.is_empty())
    }

    fn may_end(&self, state: &State) -> bool {
        state.iter().any(|set| set.iter().all(holds_at_end))
    }
}

/// Disjunctive normal form, without sets that contain another one.
fn alternatives(formula: &Obligation) -> State {
    let sets: State = match formula {
        Obligation::Any(parts) => parts.iter().flat_map(alternatives).collect(),
        Obligation::All(parts) => {
            let mut sets = State::from([BTreeSet::new()]);
            for part in parts {
                let part = alternatives(part);
                sets = sets.iter().flat_map(|set| part.iter().map(move |other| set | other)).collect();
            }
            sets
        }
        obligation => State::from([BTreeSet::from([obligation.clone()])]),
    };
    let is_least = |set: &&BTreeSet<Obligation>| !sets.iter().any(|other| other != *set && other.is_subset(set));
    sets.iter().filter(is_least).cloned().collect()
}

fn truth() -> Obligation {
    Obligation::All(BTreeSet::new())
}

fn falsehood() -> Obligation {
    Obligation::Any(BTreeSet::new())
}

/// The formula, or its negation.
fn normal(formula: &Formula, positive: bool) -> Obligation {
    let part = |formula: &Formula| Box::new(normal(formula, positive));
    match (formula, positive) {
        (Formula::True, true) => truth(),
        (Formula::True, false) => falsehood(),
        (Formula::Event(id), true) => Obligation::Event(*id),
        (Formula::Event(id), false) => Obligation::NotEvent(*id),
        (Formula::Not(inner), _) => normal(inner, !positive),
        (Formula::And(a, b), true) | (Formula::Or(a, b), false) => all([normal(a, positive), normal(b, positive)]),
        (Formula::Or(a, b), true) | (Formula::And(a, b), false) => any([normal(a, positive), normal(b, positive)]),
        (Formula::Next(inner), true) => Obligation::Next(part(inner)),
        (Formula::Next(inner), false) => Obligation::WeakNext(part(inner)),
        (Formula::Until(a, b), true) => Obligation::Until(part(a), part(b)),
        (Formula::Until(a, b), false) => Obligation::Release(part(a), part(b)),
        (Formula::Eventually(inner), true) | (Formula::Always(inner), false) => {
            Obligation::Until(Box::new(truth()), part(inner))
        }
        (Formula::Always(inner), true) | (Formula::Eventually(inner), false) => {
            Obligation::Release(Box::new(falsehood()), part(inner))
        }
        (Formula::Previously(_) | Formula::Once(_) | Formula::Historically(_) | Formula::Since(..), _) => {
            unreachable!("the parser keeps past operators out of future-time formulas: {formula:?}")
        }
    }
}

/// The formula for the rest of the run after one event.
fn progress(obligation: &Obligation, letter: u128) -> Obligation {
    let constant = |value: bool| if value { truth() } else { falsehood() };
    match obligation {
        Obligation::Event(id) => constant(letter >> id & 1 == 1),
        Obligation::NotEvent(id) => constant(letter >> id & 1 == 0),
        Obligation::All(parts) => all(parts.iter().map(|part| progress(part, letter))),
        Obligation::Any(parts) => any(parts.iter().map(|part| progress(part, letter))),
        // If another event follows, both kinds of `next` require the same. Without one they differ, and the formula for
        // the rest of the run keeps that difference.
        Obligation::Next(inner) => all([(**inner).clone(), more_events()]),
        Obligation::WeakNext(inner) => any([(**inner).clone(), no_more_events()]),
        Obligation::Until(a, b) => any([progress(b, letter), all([progress(a, letter), obligation.clone()])]),
        Obligation::Release(a, b) => all([progress(b, letter), any([progress(a, letter), obligation.clone()])]),
    }
}

/// True if at least one event follows.
fn more_events() -> Obligation {
    Obligation::Until(Box::new(truth()), Box::new(truth()))
}

/// True if no event follows.
fn no_more_events() -> Obligation {
    Obligation::Release(Box::new(falsehood()), Box::new(falsehood()))
}

/// True if the run may end with this formula.
fn holds_at_end(obligation: &Obligation) -> bool {
    match obligation {
        Obligation::Event(_) | Obligation::NotEvent(_) | Obligation::Next(_) | Obligation::Until(..) => false,
        Obligation::WeakNext(_) | Obligation::Release(..) => true,
        Obligation::All(parts) => parts.iter().all(holds_at_end),
        Obligation::Any(parts) => parts.iter().any(holds_at_end),
    }
}

fn all(parts: impl IntoIterator<Item = Obligation>) -> Obligation {
    let mut set = BTreeSet::new();
    for part in parts {
        match part {
            Obligation::All(inner) => set.extend(inner),
            part if part == falsehood() => return part,
            part => {
                set.insert(part);
            }
        }
    }
    match set.len() {
        1 => set.into_iter().next().unwrap_or_else(truth),
        _ => Obligation::All(set),
    }
}

fn any(parts: impl IntoIterator<Item = Obligation>) -> Obligation {
    let mut set = BTreeSet::new();
    for part in parts {
        match part {
            Obligation::Any(inner) => set.extend(inner),
            part if part == truth() => return part,
            part => {
                set.insert(part);
            }
        }
    }
    match set.len() {
        1 => set.into_iter().next().unwrap_or_else(falsehood),
        _ => Obligation::Any(set),
    }
}
