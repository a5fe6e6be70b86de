//! Monitors against a direct evaluation of the definitions, on random properties and runs.

use super::Monitor;
use crate::letters::Letters;
use crate::syntax::{Duty, Formula, Moment, Property, Proposition, Regex, Rule, Spec};

/// Propositions of the random specifications. The first two are about the same event, so they can hold together.
const PROPOSITIONS: usize = 4;

/// A deterministic generator of pseudo-random numbers (xorshift), so that failures are repeatable.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % limit
    }

    fn formula(&mut self, depth: usize, future: bool) -> Formula {
        if depth == 0 {
            return match self.below(6) {
                0 => Formula::True,
                _ => Formula::Event(self.below(PROPOSITIONS)),
            };
        }
        let operator = self.below(8);
        let mut part = || Box::new(self.formula(depth - 1, future));
        match (operator, future) {
            (0, _) => Formula::Not(part()),
            (1, _) => Formula::And(part(), part()),
            (2, _) => Formula::Or(part(), part()),
            (3, false) => Formula::Previously(part()),
            (4, false) => Formula::Once(part()),
            (5, false) => Formula::Historically(part()),
            (3, true) => Formula::Next(part()),
            (4, true) => Formula::Eventually(part()),
            (5, true) => Formula::Always(part()),
            (_, false) => Formula::Since(part(), part()),
            (_, true) => Formula::Until(part(), part()),
        }
    }

    fn regex(&mut self, depth: usize) -> Regex {
        if depth == 0 {
            return Regex::Event(self.below(PROPOSITIONS));
        }
        match self.below(5) {
            0 => Regex::Star(Box::new(self.regex(depth - 1))),
            1 => Regex::Optional(Box::new(self.regex(depth - 1))),
            2 => Regex::Choice(vec![self.regex(depth - 1), self.regex(depth - 1)]),
            _ => Regex::Sequence(vec![self.regex(depth - 1), self.regex(depth - 1)]),
        }
    }
}

fn letters() -> Letters {
    let proposition = |id: usize| Proposition {
        name: format!("p{id}"),
        moment: Moment::Call,
        function: if id < 2 { "f".to_owned() } else { format!("f{id}") },
        prototype: None,
        object: None,
        condition: None,
        line: 1,
    };
    let propositions = (0..PROPOSITIONS).map(proposition).collect();
    let spec = Spec { name: "s".to_owned(), object: None, propositions, properties: Vec::new(), line: 1 };
    Letters::new(&spec).unwrap()
}

/// Value of a formula at one event of a run, by its definition.
fn value(formula: &Formula, run: &[u128], at: usize) -> bool {
    match formula {
        Formula::True => true,
        Formula::Event(id) => run[at] >> id & 1 == 1,
        Formula::Not(a) => !value(a, run, at),
        Formula::And(a, b) => value(a, run, at) && value(b, run, at),
        Formula::Or(a, b) => value(a, run, at) || value(b, run, at),
        Formula::Previously(a) => at > 0 && value(a, run, at - 1),
        Formula::Once(a) => (0..=at).any(|k| value(a, run, k)),
        Formula::Historically(a) => (0..=at).all(|k| value(a, run, k)),
        Formula::Since(a, b) => (0..=at).any(|k| value(b, run, k) && (k + 1..=at).all(|j| value(a, run, j))),
        Formula::Next(a) => at + 1 < run.len() && value(a, run, at + 1),
        Formula::Eventually(a) => (at..run.len()).any(|k| value(a, run, k)),
        Formula::Always(a) => (at..run.len()).all(|k| value(a, run, k)),
        Formula::Until(a, b) => (at..run.len()).any(|k| value(b, run, k) && (at..k).all(|j| value(a, run, j))),
    }
}

/// Ends of the matches of an expression that begin at `from`, by its definition.
fn matches(regex: &Regex, run: &[u128], from: usize) -> Vec<usize> {
    let mut ends = match regex {
        Regex::Event(id) if from < run.len() && run[from] >> id & 1 == 1 => vec![from + 1],
        Regex::Event(_) => Vec::new(),
        Regex::Choice(parts) => parts.iter().flat_map(|part| matches(part, run, from)).collect(),
        Regex::Sequence(parts) => parts
            .iter()
            .fold(vec![from], |ends, part| ends.into_iter().flat_map(|end| matches(part, run, end)).collect()),
        Regex::Optional(part) => [vec![from], matches(part, run, from)].concat(),
        Regex::Star(part) => {
            let mut ends = vec![from];
            let mut next = 0;
            while next < ends.len() {
                for end in matches(part, run, ends[next]) {
                    if !ends.contains(&end) {
                        ends.push(end);
                    }
                }
                next += 1;
            }
            ends
        }
    };
    ends.sort_unstable();
    ends.dedup();
    ends
}

/// First event at which the monitor reports a violation; the number of events for one at the end.
fn violation(monitor: &Monitor, letters: &Letters, run: &[usize]) -> Option<usize> {
    let mut state = monitor.start;
    for (at, letter) in run.iter().enumerate() {
        state = monitor.next[usize::from(state)][*letter];
        if state == Monitor::VIOLATED {
            return Some(at);
        }
    }
    assert!(letters.sets.len() == monitor.next[0].len());
    (!monitor.may_end[usize::from(state)]).then_some(run.len())
}

fn property(rule: Rule) -> Property {
    Property { duty: Duty::Ensures, rule, text: String::new(), line: 1 }
}

/// All runs of up to `length` events.
fn runs(letters: usize, length: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..length {
        last =
            last.iter().flat_map(|run| (0..letters).map(move |letter| [run.as_slice(), &[letter]].concat())).collect();
        all.extend(last.iter().cloned());
    }
    all
}

#[test]
fn past_time_formulas_agree_with_their_definition() {
    let (letters, mut random) = (letters(), Random(1));
    for _ in 0..4_000 {
        let depth = 1 + random.below(4);
        let formula = random.formula(depth, false);
        let Ok(monitor) = Monitor::new(&property(Rule::Past(formula.clone())), &letters) else { continue };
        for _ in 0..5 {
            let run: Vec<usize> = (0..random.below(9)).map(|_| random.below(letters.sets.len())).collect();
            let sets: Vec<u128> = run.iter().map(|letter| letters.sets[*letter]).collect();
            let expected = (0..run.len()).find(|at| !value(&formula, &sets, *at));
            let found = violation(&monitor, &letters, &run);
            // A monitor may report earlier if no continuation helps. Past-time formulas exclude that.
            assert_eq!(found, expected, "{formula:?} on {sets:?}");
        }
    }
}

#[test]
fn future_time_formulas_agree_with_their_definition() {
    let (letters, mut random) = (letters(), Random(2));
    for _ in 0..4_000 {
        let depth = 1 + random.below(3);
        let formula = random.formula(depth, true);
        let Ok(monitor) = Monitor::new(&property(Rule::Future(formula.clone())), &letters) else { continue };
        for _ in 0..5 {
            let run: Vec<usize> = (0..1 + random.below(8)).map(|_| random.below(letters.sets.len())).collect();
            let sets: Vec<u128> = run.iter().map(|letter| letters.sets[*letter]).collect();
            let expected = value(&formula, &sets, 0);
            let found = violation(&monitor, &letters, &run);
            assert_eq!(found.is_none(), expected, "{formula:?} on {sets:?}");
            // A violation before the end means that no continuation satisfies the formula.
            if let Some(at) = found.filter(|at| *at < run.len()) {
                for rest in runs(letters.sets.len(), 2) {
                    let longer: Vec<u128> = [&run[..=at], &rest].concat().iter().map(|l| letters.sets[*l]).collect();
                    assert!(!value(&formula, &longer, 0), "{formula:?} on {longer:?}");
                }
            }
        }
    }
}

#[test]
fn regular_expressions_agree_with_their_definition() {
    let (letters, mut random) = (letters(), Random(3));
    for _ in 0..2_000 {
        let depth = 1 + random.below(4);
        let regex = random.regex(depth);
        let whole = Monitor::new(&property(Rule::Regular { regex: regex.clone(), whole: true }), &letters).unwrap();
        let prefix = Monitor::new(&property(Rule::Regular { regex: regex.clone(), whole: false }), &letters).unwrap();
        for _ in 0..5 {
            let run: Vec<usize> = (0..random.below(7)).map(|_| random.below(letters.sets.len())).collect();
            let sets: Vec<u128> = run.iter().map(|letter| letters.sets[*letter]).collect();
            let is_word = matches(&regex, &sets, 0).contains(&run.len());
            let found = violation(&whole, &letters, &run);
            assert_eq!(found.is_none(), is_word, "{regex:?} on {sets:?}");
            // The prefix form fails at the same event, and never at the end.
            assert_eq!(violation(&prefix, &letters, &run), found.filter(|at| *at < run.len()), "{regex:?} on {sets:?}");
        }
    }
}

#[test]
fn equal_properties_have_equal_monitors() {
    let letters = letters();
    let event = |id| Regex::Event(id);
    let star = |regex| Regex::Star(Box::new(regex));
    let one = Rule::Regular { regex: star(Regex::Choice(vec![event(0), event(2)])), whole: true };
    let other = Rule::Regular { regex: star(Regex::Sequence(vec![star(event(0)), star(event(2))])), whole: true };
    assert_eq!(Monitor::new(&property(one), &letters), Monitor::new(&property(other), &letters));
}

#[test]
fn distances_count_events_to_the_nearest_violation() {
    let letters = letters();
    // p2 p3, then no further event: a run that has begun must end with p3.
    let regex = Regex::Sequence(vec![Regex::Event(2), Regex::Event(3)]);
    let monitor = Monitor::new(&property(Rule::Regular { regex, whole: true }), &letters).unwrap();
    let distances = monitor.distances();
    assert_eq!(distances[usize::from(monitor.start)], Some(1));
    assert!(!monitor.is_always_kept());
    let tautology = Formula::Once(Box::new(Formula::True));
    assert!(Monitor::new(&property(Rule::Past(tautology)), &letters).unwrap().is_always_kept());
    let contradiction = Formula::Always(Box::new(Formula::Not(Box::new(Formula::True))));
    let is_never_kept = |rule| {
        let property = property(rule);
        Monitor::new(&property, &letters).unwrap().is_never_kept(&property, &letters)
    };
    assert!(is_never_kept(Rule::Future(contradiction)));
    assert!(is_never_kept(Rule::Past(Formula::And(Box::new(Formula::Event(2)), Box::new(Formula::Event(3))))));
    let forbidden = (0..PROPOSITIONS).map(|id| Formula::Not(Box::new(Formula::Event(id))));
    let none = forbidden.reduce(|a, b| Formula::And(Box::new(a), Box::new(b))).unwrap();
    assert!(!is_never_kept(Rule::Past(none)), "a property may forbid all its events");
}

/// From the middle of a run, an event is a violation exactly if it is one after all earlier runs that are possible.
#[test]
fn unknown_objects_agree_with_all_possible_histories() {
    let (letters, mut random) = (letters(), Random(4));
    let mut n_followed = 0;
    for _ in 0..300 {
        let depth = 1 + random.below(3);
        let regex = random.regex(depth);
        let monitor = Monitor::new(&property(Rule::Regular { regex: regex.clone(), whole: true }), &letters).unwrap();
        let adopting = monitor.adopting();
        if !adopting.is_followed {
            continue;
        }
        n_followed += 1;
        for _ in 0..10 {
            let run: Vec<usize> = (0..random.below(6)).map(|_| random.below(letters.sets.len())).collect();
            let from = |start: u8| violation(&Monitor { start, ..adopting.monitor.clone() }, &letters, &run);
            let possible = (1..monitor.next.len()).map(|state| from(state as u8));
            // The first event that no state survives; at the end, none may be left that can end.
            let expected = possible.map(|found| found.unwrap_or(usize::MAX)).max().filter(|at| *at != usize::MAX);
            assert_eq!(from(adopting.unknown), expected, "{regex:?} on {run:?}");
        }
    }
    assert!(n_followed > 200, "{n_followed}");
}
