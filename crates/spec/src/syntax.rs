//! The abstract syntax of specifications.

/// Specifications of one file.
pub type Specs = Vec<Spec>;

/// Number of a proposition within its specification.
pub type PropositionId = usize;

/// Maximum number of propositions of one specification: a set of them is one `u128`.
pub const MAX_PROPOSITIONS: usize = 128;

/// One specification: propositions, and the properties that events must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    pub name: String,
    /// The object that each instance follows (`for each f: FILE *`).
    pub object: Option<Object>,
    pub propositions: Vec<Proposition>,
    pub properties: Vec<Property>,
    pub line: u32,
}

impl Spec {
    /// Drops the propositions that are not `known`. They count as never true.
    pub fn forget(&mut self, known: &[bool]) {
        let mut next = 0;
        let number: Vec<Option<PropositionId>> = known
            .iter()
            .map(|known| {
                let number = known.then_some(next);
                next += usize::from(*known);
                number
            })
            .collect();
        let mut known = known.iter();
        self.propositions.retain(|_| known.next() == Some(&true));
        self.properties.retain_mut(|property| match &mut property.rule {
            Rule::Regular { regex, .. } => regex.renumbered(&number).is_some_and(|kept| {
                *regex = kept;
                true
            }),
            Rule::Past(formula) | Rule::Future(formula) => {
                formula.renumber(&number);
                true
            }
        });
    }
}

/// The variable of `for each`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    pub name: String,
    /// A pointer type, as C spells it.
    pub ty: String,
}

/// A named event: a call or return of a function, under a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposition {
    pub name: String,
    pub moment: Moment,
    pub function: String,
    /// Result type and parameters as written, for functions without debug information.
    pub prototype: Option<Prototype>,
    /// C expression for the object of the event, if it is not determined by the types.
    pub object: Option<String>,
    /// C expression over parameters, `result`, globals and `old(…)`.
    pub condition: Option<String>,
    pub line: u32,
}

/// A function's declaration in a specification: `FILE *fopen(const char *path, const char *mode)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prototype {
    /// Result type; empty if the specification does not give it.
    pub result: String,
    /// Declarations of the parameters.
    pub parameters: Vec<String>,
}

/// Moment of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    Call,
    Return,
}

/// A rule, and the side of the interface that must follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    pub duty: Duty,
    pub rule: Rule,
    /// Text of the rule in the specification.
    pub text: String,
    pub line: u32,
}

/// The side of the interface that a property binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// The caller: a precondition for calls that the harness makes, an error for calls of the unit.
    Expects,
    /// The component: a violation is always an error.
    Ensures,
}

/// A rule about the sequence of events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The events are a prefix of a word of the language; with `whole`, a word when the run ends.
    Regular { regex: Regex, whole: bool },
    /// Holds at every event.
    Past(Formula),
    /// Holds for the whole run. It is evaluated at the end, or as soon as it cannot hold any more.
    Future(Formula),
}

/// A regular expression over propositions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Regex {
    Event(PropositionId),
    Sequence(Vec<Regex>),
    Choice(Vec<Regex>),
    /// `*`: any number of times.
    Star(Box<Regex>),
    /// `?`: at most once.
    Optional(Box<Regex>),
}

impl Regex {
    /// The expression with new numbers, without events that have none; `None` if it cannot match without them.
    fn renumbered(&self, number: &[Option<PropositionId>]) -> Option<Regex> {
        let all = |parts: &[Regex]| parts.iter().map(|part| part.renumbered(number)).collect::<Vec<_>>();
        match self {
            Regex::Event(id) => number[*id].map(Regex::Event),
            Regex::Sequence(parts) => all(parts).into_iter().collect::<Option<Vec<_>>>().map(Regex::Sequence),
            Regex::Choice(parts) => {
                let kept: Vec<Regex> = all(parts).into_iter().flatten().collect();
                (!kept.is_empty()).then_some(Regex::Choice(kept))
            }
            Regex::Star(part) => {
                Some(part.renumbered(number).map_or_else(Regex::nothing, |p| Regex::Star(Box::new(p))))
            }
            Regex::Optional(part) => {
                Some(part.renumbered(number).map_or_else(Regex::nothing, |p| Regex::Optional(Box::new(p))))
            }
        }
    }

    /// The expression that only the empty sequence matches.
    fn nothing() -> Regex {
        Regex::Sequence(Vec::new())
    }
}

/// A formula of linear temporal logic, with past or future operators.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula {
    True,
    Event(PropositionId),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    /// True at the previous event; false at the first event.
    Previously(Box<Formula>),
    Once(Box<Formula>),
    Historically(Box<Formula>),
    /// The right side was true at some event, and the left side at every event after that.
    Since(Box<Formula>, Box<Formula>),
    /// True at the following event; false at the last event.
    Next(Box<Formula>),
    Eventually(Box<Formula>),
    Always(Box<Formula>),
    /// The right side will be true, and the left side is at every event before that.
    Until(Box<Formula>, Box<Formula>),
}

impl Formula {
    fn renumber(&mut self, number: &[Option<PropositionId>]) {
        use Formula::{
            Always, And, Event, Eventually, Historically, Next, Not, Once, Or, Previously, Since, True, Until,
        };
        match self {
            True => {}
            Event(id) => *self = number[*id].map_or_else(|| Not(Box::new(True)), Event),
            Not(a) | Previously(a) | Once(a) | Historically(a) | Next(a) | Eventually(a) | Always(a) => {
                a.renumber(number);
            }
            And(a, b) | Or(a, b) | Since(a, b) | Until(a, b) => {
                a.renumber(number);
                b.renumber(number);
            }
        }
    }

    /// Direct parts of the formula.
    pub fn parts(&self) -> Vec<&Formula> {
        use Formula::{
            Always, And, Event, Eventually, Historically, Next, Not, Once, Or, Previously, Since, True, Until,
        };
        match self {
            True | Event(_) => Vec::new(),
            Not(a) | Previously(a) | Once(a) | Historically(a) | Next(a) | Eventually(a) | Always(a) => vec![a],
            And(a, b) | Or(a, b) | Since(a, b) | Until(a, b) => vec![a, b],
        }
    }

    /// True if the formula contains an operator about earlier events.
    pub fn has_past(&self) -> bool {
        use Formula::{Historically, Once, Previously, Since};
        matches!(self, Previously(_) | Once(_) | Historically(_) | Since(..))
            || self.parts().into_iter().any(Formula::has_past)
    }

    /// True if the formula contains an operator about later events.
    pub fn has_future(&self) -> bool {
        use Formula::{Always, Eventually, Next, Until};
        matches!(self, Next(_) | Eventually(_) | Always(_) | Until(..))
            || self.parts().into_iter().any(Formula::has_future)
    }
}
