//! Recorded queries are read back unchanged, each once.

use std::io::Write;
use std::sync::{Arc, Mutex};

use tine_expr::testing::{EVERYTHING, Random, Shape, random_terms};
use tine_expr::{Answer, Assignment, Domain, Evaluator, Query, Solver, TermId, TermPool};

use crate::stream::{Recording, read};
use crate::{Options, chain};

#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Memory {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

#[test]
fn streams_read_back() {
    let memory = Memory::default();
    let mut recording = chain(&Options {
        record: Some(Recording::new(Box::new(memory.clone()))),
        timeout_ms: 500,
        ..Options::default()
    })
    .unwrap();
    let (mut random, mut pool) = (Random::new(3), TermPool::new());
    let terms = random_terms(&mut random, &mut pool, &Shape { floats: false, ..EVERYTHING });
    let conditions: Vec<TermId> =
        terms.iter().map(|pair| pair.1).filter(|&id| pool.width(id) == 1 && !pool.support(id).is_empty()).collect();
    let mut hint = Assignment::new();
    (0..32).for_each(|offset| hint.set(0, offset, random.interesting(8) as u8));
    let domains = [Domain { input: 9, offset: 0, width: 64, values: vec![0, 0x100, 0x140] }];
    let (mut path, mut asked) = (Vec::new(), Vec::new());
    for condition in conditions {
        let taken = Evaluator::new().with(&pool, &hint).holds(condition);
        let negated = pool.not(condition);
        let (constraint, goal) = if taken { (condition, negated) } else { (negated, condition) };
        for _ in 0..2 {
            let query = Query { constraints: &path, goal, hint: &hint, domains: &domains };
            asked.push((goal, recording.check(&mut pool, &query)));
        }
        path.push(constraint);
    }
    let (p, place) = (pool.input(9, 0, 64), pool.constant(64, 0x140));
    let goal = pool.eq(p, place);
    asked.push((goal, recording.check(&mut pool, &Query { constraints: &path, goal, hint: &hint, domains: &domains })));

    let recorded = read(&mut pool, &memory.text()).unwrap();
    let mut goals: Vec<TermId> = asked.iter().map(|(goal, _)| *goal).collect();
    goals.dedup();
    assert!(recorded.len() <= goals.len() && recorded.len() * 2 > goals.len(), "{}", recorded.len());
    let last = recorded.last().unwrap();
    assert_eq!((last.goal, &last.domains[..]), (Some(goal), &domains[..]));
    let mut again = chain(&Options { timeout_ms: 500, ..Options::default() }).unwrap();
    // A goal may occur again after a longer path, so queries are matched in order.
    let mut next = asked.iter();
    for query in &recorded {
        let before = next.find(|(goal, _)| Some(*goal) == query.goal).unwrap();
        let answer = again.check(&mut pool, &query.query().unwrap());
        let kinds = [&before.1, &answer].map(|answer| matches!(answer, Answer::Sat(_)));
        let known = [&before.1, &answer].iter().all(|answer| !matches!(answer, Answer::Unknown(_)));
        assert!(!known || kinds[0] == kinds[1], "{query:?}: {answer:?}, before {:?}", before.1);
    }
}

#[test]
fn mistakes_are_named_with_their_line() {
    for (text, message) in [
        ("goal 1:1", "line 1: a stream begins with `query`"),
        ("query\nfoo", "line 2: not a line of a stream"),
        ("query\nhint 0 x", "line 2: not a line of a stream"),
        ("query\ngoal (foo)", "line 2: at byte 4: "),
    ] {
        let found = read(&mut TermPool::new(), text).unwrap_err();
        assert!(found.starts_with(message), "{text}: {found}");
    }
}
