//! Objects at unknown addresses: the addresses in a path's terms become sums of a variable and an offset.

use rustc_hash::FxHashMap;
use tine_expr::{Assignment, Kind, TermId, TermPool};
use tine_trace::op::Op;
use tine_trace::plan::{object_address, slot_of};

use tine_types::Input;

/// A variable for the address of each object.
pub(super) struct Bases<'a> {
    inputs: &'a Input,
    /// Memoised results of rewriting.
    known: FxHashMap<TermId, TermId>,
}

impl<'a> Bases<'a> {
    pub(super) fn new(inputs: &'a Input) -> Bases<'a> {
        Bases { inputs, known: FxHashMap::default() }
    }

    /// Input number of the variable: a request that the program does not make.
    fn input(&self, slot: u32) -> u32 {
        self.inputs.requests.len() as u32 + slot
    }

    pub(super) fn variable(&self, pool: &mut TermPool, slot: u32) -> TermId {
        pool.input(self.input(slot), 0, 64)
    }

    /// Object whose variable this input is.
    pub(super) fn slot(&self, input: u32) -> Option<u32> {
        let slot = input.checked_sub(self.inputs.requests.len() as u32)?;
        self.inputs.objects.contains_key(&slot).then_some(slot)
    }

    /// Current address of the object.
    pub(super) fn address(&self, slot: u32) -> u64 {
        let start = self.inputs.objects.get(&slot).map_or(0, |object| object.element.start);
        object_address(slot, start, self.inputs.slot_shift)
    }

    pub(super) fn value(&self, assignment: &Assignment, slot: u32) -> u64 {
        assignment.read(self.input(slot), 0, 64) as u64
    }

    /// The hint, extended by the addresses of all objects.
    pub(super) fn hint(&self, hint: &Assignment) -> Assignment {
        let mut hint = hint.clone();
        for slot in self.inputs.objects.keys() {
            hint.write(self.input(*slot), 0, 64, u128::from(self.address(*slot)));
        }
        hint
    }

    /// Rewrites a term for objects at unknown addresses.
    pub(super) fn relocated(&mut self, pool: &mut TermPool, term: TermId) -> TermId {
        let mut pending = vec![term];
        while let Some(&next) = pending.last() {
            let made = pool.term(next);
            let missing: Vec<TermId> = made.operands().filter(|part| !self.known.contains_key(part)).collect();
            if self.known.contains_key(&next) {
                pending.pop();
            } else if !missing.is_empty() {
                pending.extend(missing);
            } else {
                let parts: Vec<TermId> = made.operands().map(|part| self.known[&part]).collect();
                let is_same = made.operands().zip(&parts).all(|(old, new)| old == *new);
                let new = match made.kind() {
                    Kind::Op(Op::Const) => self.constant(pool, next),
                    _ if is_same => next,
                    Kind::Op(op) => pool.apply(op, made.width(), &parts, made.immediate()),
                    Kind::Select => pool.select(parts[0], parts[1], made.width()),
                    Kind::Store => pool.store(parts[0], parts[1], parts[2]),
                    Kind::Table => next,
                };
                self.known.insert(next, new);
                pending.pop();
            }
        }
        self.known[&term]
    }

    /// Rewrites an address, or the negative of one, as the sum of its object's variable and an offset. Differences add
    /// negatives.
    fn constant(&self, pool: &mut TermPool, term: TermId) -> TermId {
        let value = match pool.value(term) {
            Some(value) if pool.width(term) == 64 => value as u64,
            _ => return term,
        };
        let object = |address: u64| {
            let slot = slot_of(address, self.inputs.slot_shift).map(|(slot, _)| slot);
            slot.filter(|slot| self.inputs.objects.contains_key(slot))
        };
        let negative = value.wrapping_neg();
        // A sum with a negative address lies before the object: in the slot before it, after the bytes of the object
        // there.
        let is_inside = |slot: &u32| {
            let extent = self.inputs.objects.get(slot).map_or(0, |object| object.element.extent);
            negative.wrapping_sub(self.address(*slot)) < u64::from(extent)
        };
        let next = || object(negative.wrapping_add((1 << self.inputs.slot_shift) - 1));
        if let Some(slot) = object(value) {
            let base = self.variable(pool, slot);
            let offset = pool.constant(64, u128::from(value.wrapping_sub(self.address(slot))));
            pool.add(base, offset)
        } else if let Some(slot) = object(negative).filter(is_inside).or_else(next) {
            let base = self.variable(pool, slot);
            let offset = pool.constant(64, u128::from(self.address(slot).wrapping_sub(negative)));
            pool.sub(offset, base)
        } else {
            term
        }
    }
}
