//! Rebuilds conditions in a separate pool, with known values substituted.

use rustc_hash::FxHashMap;
use tine_expr::{InputByte, InputView, Kind, TermId, TermPool};
use tine_trace::op::Op;

/// Maximum number of rounds of substitution.
const MAX_ROUNDS: u32 = 4;

pub(super) struct Rebuilt {
    pub(super) pool: TermPool,
    /// Conditions that are not known to hold.
    pub(super) conditions: Vec<TermId>,
    /// Bytes with a single possible value, sorted. The conditions no longer mention them.
    pub(super) known: Vec<InputByte>,
}

/// Rebuilds the conditions, in the case that a term has this value, with the known bytes and those that conditions
/// state.
pub(super) fn rebuild(
    pool: &TermPool,
    conditions: &[TermId],
    case: Option<(TermId, u128)>,
    known: &[InputByte],
) -> Rebuilt {
    let mut bytes: FxHashMap<(u32, u32), u8> = FxHashMap::default();
    bytes.extend(known.iter().map(|byte| ((byte.input, byte.offset), byte.value)));
    conditions.iter().for_each(|&condition| says(pool, condition, &mut bytes));
    let mut rebuilt = once(pool, conditions, case, &bytes);
    for _ in 1..MAX_ROUNDS {
        let before = bytes.len();
        rebuilt.1.iter().for_each(|&condition| says(&rebuilt.0, condition, &mut bytes));
        if bytes.len() == before {
            break;
        }
        rebuilt = once(&rebuilt.0, &rebuilt.1, None, &bytes);
    }
    let byte = |((input, offset), value)| InputByte { input, offset, value };
    let mut known: Vec<InputByte> = bytes.into_iter().map(byte).collect();
    known.sort_unstable();
    Rebuilt { pool: rebuilt.0, conditions: rebuilt.1, known }
}

/// Records the bytes stated by `input == constant`. The first of two contradicting conditions counts, and the second
/// then becomes false.
fn says(pool: &TermPool, condition: TermId, bytes: &mut FxHashMap<(u32, u32), u8>) {
    let term = pool.term(condition);
    if term.op() != Some(Op::Eq) {
        return;
    }
    let (Some(view), Some(value)) = (pool.input_view(term.operand(0)), pool.value(term.operand(1))) else { return };
    for k in 0..view.n_bytes() {
        bytes.entry((view.input, view.offset + k)).or_insert((value >> (8 * k)) as u8);
    }
}

fn once(
    from: &TermPool,
    conditions: &[TermId],
    case: Option<(TermId, u128)>,
    bytes: &FxHashMap<(u32, u32), u8>,
) -> (TermPool, Vec<TermId>) {
    let mut building = Building { from, pool: TermPool::new(), done: FxHashMap::default(), bytes };
    let mut all = Vec::new();
    if let Some((term, value)) = case {
        // First build the term unchanged, to state that it has this value. Then replace it by the value.
        let itself = building.build(term);
        let value = building.pool.constant(from.width(term), value);
        all.push(building.pool.eq(itself, value));
        building.done.clear();
        building.done.insert(term, value);
    }
    all.extend(conditions.iter().map(|&condition| building.build(condition)));
    let pool = building.pool;
    all.retain(|&condition| pool.value(condition) != Some(1));
    (pool, all)
}

struct Building<'a> {
    from: &'a TermPool,
    pool: TermPool,
    done: FxHashMap<TermId, TermId>,
    bytes: &'a FxHashMap<(u32, u32), u8>,
}

impl Building<'_> {
    fn build(&mut self, root: TermId) -> TermId {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.done.contains_key(&id) {
                stack.pop();
                continue;
            }
            let term = self.from.term(id);
            let n_before = stack.len();
            stack.extend(term.operands().filter(|operand| !self.done.contains_key(operand)));
            if stack.len() > n_before {
                continue;
            }
            stack.pop();
            let operands: Vec<TermId> = term.operands().map(|operand| self.done[&operand]).collect();
            let built = match term.kind() {
                Kind::Op(Op::Const) => {
                    self.pool.constant(term.width(), self.from.value(id).expect("a constant has a value"))
                }
                Kind::Op(Op::Input) => self.input(term.input().expect("an input has a view")),
                Kind::Op(op) => self.pool.apply(op, term.width(), &operands, term.immediate()),
                Kind::Table => self.pool.table(self.from.table_bytes(id).expect("a table has bytes").clone()),
                Kind::Select => self.pool.select(operands[0], operands[1], term.width()),
                Kind::Store => self.pool.store(operands[0], operands[1], operands[2]),
            };
            self.done.insert(id, built);
        }
        self.done[&root]
    }

    /// Combines known bytes and the inputs between them.
    fn input(&mut self, view: InputView) -> TermId {
        let known = |k: u32| self.bytes.get(&(view.input, view.offset + k)).copied();
        let mut parts: Vec<(u32, Option<u128>)> = Vec::new();
        for k in 0..view.n_bytes() {
            match (parts.last_mut(), known(k)) {
                (Some((n, Some(value))), Some(byte)) => {
                    *value |= u128::from(byte) << (8 * *n);
                    *n += 1;
                }
                (Some((n, None)), None) => *n += 1,
                (_, byte) => parts.push((1, byte.map(u128::from))),
            }
        }
        let (mut offset, mut whole) = (view.offset, None);
        for (n, value) in parts {
            let part = match value {
                Some(value) => self.pool.constant(8 * n, value),
                None => self.pool.input(view.input, offset, 8 * n),
            };
            offset += n;
            whole = Some(whole.map_or(part, |low| self.pool.concat(part, low)));
        }
        whole.expect("a view has bytes")
    }
}
