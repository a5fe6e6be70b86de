//! Reduction of wrongly answered queries to the smallest ones that are still answered wrongly.
//!
//! Every comparison of a tier, chain or rule with a reference uses a [`Witness`]. It knows the seed and the earlier
//! queries on the pool, because an answer may be wrong only because of remembered data. The reduction first removes
//! earlier queries, then constraints, domains and their values. Then it replaces terms, large ones first, by one of
//! their operands or by their value under the hint. A change is kept if the answer is still wrong. Constraints that
//! hold under the hint continue to hold.

mod planted;

use rustc_hash::FxHashMap;
use tine_expr::text::{Names, print};
use tine_expr::{Assignment, Domain, Evaluator, Kind, Query, TermId, TermPool};
use tine_trace::op::Op;

/// Maximum number of queries tried during the reduction.
const MAX_TRIED: u32 = 4_000;

/// Runs a comparison. Returns a description if something is wrong.
pub(super) type Compare<'a> = &'a mut dyn FnMut(&mut TermPool, &Query<'_>) -> Option<String>;

/// Observes the queries on one pool.
pub(super) struct Witness {
    seed: u64,
    asked: Vec<Asked>,
}

impl Witness {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed, asked: Vec::new() }
    }

    /// Compares. On an error, panics with the smallest queries that show it.
    pub(super) fn check(&mut self, pool: &mut TermPool, query: &Query<'_>, compare: Compare<'_>) {
        self.asked.push(Asked::from(pool, query));
        if let Some(why) = compare(pool, query) {
            panic!("seed {}: {why}\nThe smallest that is wrong:{}", self.seed, smallest(pool, &self.asked, compare));
        }
    }
}

#[derive(Clone)]
struct Asked {
    /// Constraints, and as last condition the goal.
    conditions: Vec<TermId>,
    hint: Assignment,
    domains: Vec<Domain>,
    /// True if the constraints hold under the hint, as in all queries of the engine.
    holds: bool,
}

impl Asked {
    fn from(pool: &TermPool, query: &Query<'_>) -> Self {
        let conditions = query.constraints.iter().copied().chain([query.goal]).collect();
        let (hint, domains) = (query.hint.clone(), query.domains.to_vec());
        let mut asked = Self { conditions, hint, domains, holds: true };
        asked.holds = asked.is_fair(pool);
        asked
    }

    fn query(&self) -> Query<'_> {
        let (&goal, constraints) = self.conditions.split_last().expect("a goal");
        Query { constraints, goal, hint: &self.hint, domains: &self.domains }
    }

    fn is_fair(&self, pool: &TermPool) -> bool {
        let (_, constraints) = self.conditions.split_last().expect("a goal");
        let mut evaluator = Evaluator::new();
        let mut evaluation = evaluator.with(pool, &self.hint);
        !self.holds
            || constraints.iter().all(|&constraint| evaluation.holds(constraint))
                && self.domains.iter().all(|domain| domain.holds(&self.hint))
    }
}

/// Returns the queries as text with the error of the last one: constraints, goal, and values of the hint.
fn smallest(pool: &TermPool, asked: &[Asked], compare: Compare<'_>) -> String {
    let mut left = MAX_TRIED;
    let Some(mut best) = Small::copied(pool, asked, None).wrong(compare, &mut left) else {
        return "\n  none when asked once more; it was\n".to_owned() + &Small::copied(pool, asked, None).text();
    };
    while let Some(smaller) = best.smaller(compare, &mut left) {
        best = smaller;
    }
    best.text()
}

struct Small {
    pool: TermPool,
    /// Queries, of which the last is answered wrongly.
    asked: Vec<Asked>,
    why: String,
}

impl Small {
    /// Copies the queries to another pool, replacing one term by another.
    fn copied(pool: &TermPool, asked: &[Asked], instead: Option<(TermId, TermId)>) -> Small {
        let (mut own, mut asked) = (TermPool::new(), asked.to_vec());
        let mut copy = Copy { from: pool, instead, copied: FxHashMap::default() };
        for condition in asked.iter_mut().flat_map(|asked| &mut asked.conditions) {
            *condition = copy.term(&mut own, *condition);
        }
        Small { pool: own, asked, why: String::new() }
    }

    /// Runs the queries and removes those after the first wrong answer. Returns `None` if there is no wrong answer, or
    /// no attempt left.
    fn wrong(mut self, compare: Compare<'_>, left: &mut u32) -> Option<Small> {
        *left = left.checked_sub(1)?;
        if !self.asked.iter().all(|asked| asked.is_fair(&self.pool)) {
            return None;
        }
        // Use a copy of the pool, because solvers may add terms.
        let mut copy = Small::copied(&self.pool, &self.asked, None);
        let asked = &copy.asked;
        let (last, why) = asked.iter().enumerate().find_map(|(k, asked)| {
            let why = compare(&mut copy.pool, &asked.query())?;
            Some((k, why))
        })?;
        self.asked.truncate(last + 1);
        self.why = why;
        Some(self)
    }

    /// Returns smaller queries that still show the error.
    fn smaller(&mut self, compare: Compare<'_>, left: &mut u32) -> Option<Small> {
        let n_before = self.asked.len() - 1;
        // Remove several at once while there are many.
        let halves = [0..n_before, 0..n_before / 2, n_before / 2..n_before];
        for range in halves.into_iter().chain((0..n_before).map(|k| k..k + 1)).filter(|range| !range.is_empty()) {
            let mut asked = self.asked.clone();
            asked.drain(range);
            if let Some(found) = Small::copied(&self.pool, &asked, None).wrong(compare, left) {
                return Some(found);
            }
        }
        for number in (0..self.asked.len()).rev() {
            for asked in parts(&self.asked[number]) {
                let mut all = self.asked.clone();
                all[number] = asked;
                if let Some(found) = Small::copied(&self.pool, &all, None).wrong(compare, left) {
                    return Some(found);
                }
            }
        }
        for id in self.terms() {
            for other in self.instead_of(id) {
                let small = Small::copied(&self.pool, &self.asked, Some((id, other)));
                if let Some(found) = small.wrong(compare, left) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// All terms, large ones first.
    fn terms(&self) -> Vec<TermId> {
        let mut todo: Vec<TermId> = self.asked.iter().flat_map(|asked| asked.conditions.iter().copied()).collect();
        let mut seen = vec![false; self.pool.len()];
        while let Some(id) = todo.pop() {
            if !std::mem::replace(&mut seen[id.0 as usize], true) {
                todo.extend(self.pool.term(id).operands());
            }
        }
        (0..self.pool.len() as u32).rev().map(TermId).filter(|id| seen[id.0 as usize]).collect()
    }

    /// Simpler replacements of a term: operands, and its value.
    fn instead_of(&mut self, id: TermId) -> Vec<TermId> {
        let (term, width) = (self.pool.term(id), self.pool.width(id));
        if term.is_const() || width == 0 {
            return Vec::new();
        }
        let mut instead: Vec<TermId> = term.operands().filter(|&operand| self.pool.width(operand) == width).collect();
        for asked in &self.asked {
            let value = Evaluator::new().with(&self.pool, &asked.hint).eval(id);
            let value = self.pool.constant(width, value);
            if !instead.contains(&value) {
                instead.push(value);
            }
        }
        instead
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (number, asked) in self.asked.iter().enumerate() {
            if self.asked.len() > 1 {
                text += &format!("\n query {}", number + 1);
            }
            for &condition in &asked.conditions {
                text += &format!("\n  {}", print(&self.pool, condition, &Names::new()));
            }
            for range in self.pool.support_of_all(asked.conditions.iter().copied()) {
                let bytes: Vec<u8> =
                    (range.start..range.end).map(|offset| asked.hint.get(range.input, offset)).collect();
                text += &format!("\n  hint: input {} from {}: {bytes:02x?}", range.input, range.start);
            }
            for Domain { input, offset, width, values } in &asked.domains {
                text += &format!("\n  domain: input {input} from {offset}, {width} bits: {values:x?}");
            }
        }
        if self.why.is_empty() { text } else { format!("{text}\n  {}", self.why) }
    }
}

/// Queries with one constraint, domain or value of a domain removed.
fn parts(asked: &Asked) -> Vec<Asked> {
    let mut parts = Vec::new();
    for leave_out in 0..asked.conditions.len() - 1 {
        let mut part = asked.clone();
        part.conditions.remove(leave_out);
        parts.push(part);
    }
    for (k, domain) in asked.domains.iter().enumerate() {
        let mut part = asked.clone();
        part.domains.remove(k);
        parts.push(part);
        for leave_out in 0..domain.values.len() {
            let mut part = asked.clone();
            part.domains[k].values.remove(leave_out);
            parts.push(part);
        }
    }
    parts
}

struct Copy<'a> {
    from: &'a TermPool,
    instead: Option<(TermId, TermId)>,
    copied: FxHashMap<TermId, TermId>,
}

impl Copy<'_> {
    /// Copies a term, except for the one that is replaced.
    fn term(&mut self, to: &mut TermPool, id: TermId) -> TermId {
        let id = self.instead.filter(|(old, _)| *old == id).map_or(id, |(_, new)| new);
        if let Some(&copied) = self.copied.get(&id) {
            return copied;
        }
        let term = self.from.term(id);
        let operands: Vec<TermId> = term.operands().map(|operand| self.term(to, operand)).collect();
        let copied = match term.kind() {
            Kind::Op(Op::Const) => to.constant(term.width(), self.from.value(id).unwrap()),
            Kind::Op(Op::Input) => {
                let view = term.input().unwrap();
                to.input(view.input, view.offset, view.width)
            }
            Kind::Op(op) => to.apply_raw(op, term.width(), &operands, term.immediate()).unwrap(),
            Kind::Table => to.table(self.from.table_bytes(id).unwrap().clone()),
            Kind::Select => to.select_raw(operands[0], operands[1], term.width()),
            Kind::Store => to.store_raw(operands[0], operands[1], operands[2]),
        };
        self.copied.insert(id, copied);
        copied
    }
}
