//! Regular expressions as automata: Glushkov's construction, made deterministic.
//!
//! Every event of the expression is a position. A state is the set of positions that the next event may match, and a
//! flag that the events so far are a word of the language.

use std::collections::BTreeSet;

use crate::monitor::Rules;
use crate::syntax::{PropositionId, Regex};

type Positions = BTreeSet<usize>;

/// A regular expression by positions.
#[derive(Debug)]
pub(crate) struct Regular {
    /// Proposition of each position.
    events: Vec<PropositionId>,
    /// Positions that may follow each position.
    follow: Vec<Positions>,
    start: State,
    /// Positions that can be the last one of a word.
    last: Positions,
    /// The run must end with a word of the language.
    whole: bool,
}

/// Positions that may come next, and a flag that the run may end here.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct State {
    next: Positions,
    accepts: bool,
}

/// Properties of a part of the expression.
struct Part {
    nullable: bool,
    first: Positions,
    last: Positions,
}

impl Regular {
    pub(crate) fn new(regex: &Regex, whole: bool) -> Regular {
        let (mut events, mut follow) = (Vec::new(), Vec::new());
        let part = number(regex, &mut events, &mut follow);
        let start = State { next: part.first, accepts: part.nullable };
        Regular { events, follow, start, last: part.last, whole }
    }
}

impl Rules for Regular {
    type State = State;

    fn start(&self) -> State {
        self.start.clone()
    }

    fn next(&self, state: &State, letter: u128) -> Option<State> {
        let matched: Vec<usize> =
            state.next.iter().copied().filter(|position| letter >> self.events[*position] & 1 == 1).collect();
        if matched.is_empty() {
            return None;
        }
        let accepts = matched.iter().any(|position| self.last.contains(position));
        let next = matched.iter().flat_map(|position| self.follow[*position].iter().copied()).collect();
        Some(State { next, accepts })
    }

    fn may_end(&self, state: &State) -> bool {
        !self.whole || state.accepts
    }
}

fn number(regex: &Regex, events: &mut Vec<PropositionId>, follow: &mut Vec<Positions>) -> Part {
    match regex {
        Regex::Event(proposition) => {
            let position = Positions::from([events.len()]);
            events.push(*proposition);
            follow.push(Positions::new());
            Part { nullable: false, first: position.clone(), last: position }
        }
        Regex::Choice(choices) => {
            let mut whole = Part { nullable: false, first: Positions::new(), last: Positions::new() };
            for choice in choices {
                let part = number(choice, events, follow);
                whole.nullable |= part.nullable;
                whole.first.extend(part.first);
                whole.last.extend(part.last);
            }
            whole
        }
        Regex::Sequence(parts) => {
            let mut whole = Part { nullable: true, first: Positions::new(), last: Positions::new() };
            for part in parts {
                let part = number(part, events, follow);
                connect(&whole.last, &part.first, follow);
                if whole.nullable {
                    whole.first.extend(&part.first);
                }
                if !part.nullable {
                    whole.last.clear();
                }
                whole.last.extend(part.last);
                whole.nullable &= part.nullable;
            }
            whole
        }
        Regex::Star(inner) => {
            let part = number(inner, events, follow);
            connect(&part.last, &part.first, follow);
            Part { nullable: true, ..part }
        }
        Regex::Optional(inner) => Part { nullable: true, ..number(inner, events, follow) },
    }
}

fn connect(last: &Positions, first: &Positions, follow: &mut [Positions]) {
    for position in last {
        follow[*position].extend(first);
    }
}
