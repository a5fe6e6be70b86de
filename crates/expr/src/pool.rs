//! The pool of terms. Equal terms are stored once.
//!
//! This module stores terms. [`crate::rewrite`] decides which term represents an operation. Terms are never
//! removed, so ids stay valid as long as the pool exists.

use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use tine_trace::eval::mask;
use tine_trace::op::Op;

use crate::rewrite;
use crate::support::{self, ByteRange, SupportId, Supports};
use crate::term::{ARRAY, IllFormed, InputView, Kind, Term, TermId, well_formed};

/// All terms of an engine.
#[derive(Debug)]
pub struct TermPool {
    terms: Vec<Term>,
    supports_of: Vec<SupportId>,
    ids: HashTable<u32>,
    values: Vec<u128>,
    value_ids: FxHashMap<u128, u32>,
    tables: Vec<Arc<[u8]>>,
    table_ids: FxHashMap<Arc<[u8]>, u32>,
    supports: Supports,
    identity: PoolIdentity,
    /// Recursion depth of rewriting: see [`rewrite::apply`].
    pub(crate) depth: u32,
    rewrites: bool,
    /// Total size of all tables.
    table_bytes: u64,
    n_rewritten: u64,
    /// Rules of rewriting that fired, each with its depth.
    #[cfg(test)]
    pub(crate) fired: Vec<(u32, rewrite::rules::Rule)>,
}

impl Default for TermPool {
    fn default() -> Self {
        Self::new()
    }
}

/// Construction of terms with simplification.
impl TermPool {
    /// A pool without terms.
    pub fn new() -> Self {
        Self {
            terms: Vec::new(),
            supports_of: Vec::new(),
            ids: HashTable::new(),
            values: Vec::new(),
            value_ids: FxHashMap::default(),
            tables: Vec::new(),
            table_ids: FxHashMap::default(),
            supports: Supports::new(),
            identity: PoolIdentity(Arc::new(())),
            depth: 0,
            rewrites: true,
            table_bytes: 0,
            n_rewritten: 0,
            #[cfg(test)]
            fired: Vec::new(),
        }
    }

    /// Creates a pool that does not rewrite terms. Results must be the same as with rewriting.
    pub fn without_rewriting() -> Self {
        Self { rewrites: false, ..Self::new() }
    }

    /// Approximate memory of the terms.
    pub fn bytes(&self) -> u64 {
        let per_term = size_of::<Term>() + size_of::<SupportId>() + 2 * size_of::<u32>();
        let per_value = 3 * size_of::<u128>();
        (self.terms.capacity() * per_term + self.values.len() * per_value) as u64
            + self.table_bytes
            + self.supports.bytes()
    }

    /// Number of times a rule has changed a term.
    pub fn n_rewritten(&self) -> u64 {
        self.n_rewritten
    }

    /// The constant `value`, truncated to `width` bits.
    pub fn constant(&mut self, width: u32, value: u128) -> TermId {
        assert!((1..=128).contains(&width), "a constant has 1 to 128 bits, not {width}");
        let value = value & mask(width);
        let next = self.values.len() as u32;
        let number = *self.value_ids.entry(value).or_insert(next);
        if number == next {
            self.values.push(value);
        }
        self.intern(Term { kind: Kind::Op(Op::Const), width: width as u8, fields: [number, 0, 0] })
    }

    /// One bit.
    pub fn bit(&mut self, value: bool) -> TermId {
        self.constant(1, value as u128)
    }

    /// `width / 8` bytes of an input, from `offset` on, little-endian. The width is a multiple of 8 up to 128.
    pub fn input(&mut self, input: u32, offset: u32, width: u32) -> TermId {
        assert!(is_input_width(width), "an input has 8, 16 … 128 bits, not {width}");
        self.intern(Term { kind: Kind::Op(Op::Input), width: width as u8, fields: [input, offset, 0] })
    }

    /// The operation on these operands, in simplest form. `immediate` is 0 for operations without one.
    ///
    /// # Panics
    /// If the operands' widths do not fit. [`Self::try_apply`] is for external data.
    pub fn apply(&mut self, op: Op, width: u32, operands: &[TermId], immediate: u32) -> TermId {
        self.try_apply(op, width, operands, immediate).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The term of an operation, if the operands fit.
    pub fn try_apply(&mut self, op: Op, width: u32, operands: &[TermId], immediate: u32) -> Result<TermId, IllFormed> {
        self.require(op, width, operands, immediate)?;
        if !self.rewrites {
            return Ok(self.make(op, width, operands, immediate));
        }
        Ok(rewrite::apply(self, op, width, operands, immediate))
    }

    /// The array of these bytes, and zeros after them.
    pub fn table(&mut self, bytes: impl Into<Arc<[u8]>>) -> TermId {
        let bytes = bytes.into();
        let next = self.tables.len() as u32;
        let number = *self.table_ids.entry(bytes.clone()).or_insert(next);
        if number == next {
            self.table_bytes += bytes.len() as u64;
            self.tables.push(bytes);
        }
        self.intern(Term { kind: Kind::Table, width: ARRAY as u8, fields: [number, 0, 0] })
    }

    /// `width / 8` bytes of `array` from `index` (64 bits) on.
    pub fn select(&mut self, array: TermId, index: TermId, width: u32) -> TermId {
        self.require_access(array, index, width);
        if !self.rewrites {
            return self.select_raw(array, index, width);
        }
        rewrite::array::select(self, array, index, width)
    }

    /// `array` with the bytes of `value` from `index` (64 bits) on.
    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        self.require_access(array, index, self.width(value));
        if !self.rewrites {
            return self.store_raw(array, index, value);
        }
        rewrite::array::store(self, array, index, value)
    }
}

/// Construction of terms without rewriting, as a reference for tests of rewriting.
impl TermPool {
    /// The operation on these operands, without simplification.
    pub fn apply_raw(&mut self, op: Op, width: u32, operands: &[TermId], immediate: u32) -> Result<TermId, IllFormed> {
        self.require(op, width, operands, immediate)?;
        Ok(self.make(op, width, operands, immediate))
    }

    /// A read of an array, without simplification.
    pub fn select_raw(&mut self, array: TermId, index: TermId, width: u32) -> TermId {
        self.intern(Term { kind: Kind::Select, width: width as u8, fields: [array.0, index.0, 0] })
    }

    /// A write to an array, without simplification.
    pub fn store_raw(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        self.intern(Term { kind: Kind::Store, width: ARRAY as u8, fields: [array.0, index.0, value.0] })
    }

    /// Called by every rule that changes an operation. Only tests use the identity of the rule.
    #[inline(always)]
    pub(crate) fn fires(&mut self, rule: rewrite::rules::Rule) {
        self.n_rewritten += 1;
        #[cfg(test)]
        self.fired.push((self.depth, rule));
        let _ = rule;
    }

    pub(crate) fn make(&mut self, op: Op, width: u32, operands: &[TermId], immediate: u32) -> TermId {
        let mut fields = [0; 3];
        for (field, operand) in fields.iter_mut().zip(operands) {
            *field = operand.0;
        }
        if op.shape().immediates > 0 {
            fields[operands.len()] = immediate;
        }
        self.intern(Term { kind: Kind::Op(op), width: width as u8, fields })
    }
}

/// Identity of the pool, for code that stores terms between calls.
#[derive(Clone, Debug)]
pub struct PoolIdentity(Arc<()>);

impl PartialEq for PoolIdentity {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Access to terms.
impl TermPool {
    /// Different for each pool.
    pub fn identity(&self) -> PoolIdentity {
        self.identity.clone()
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// True if the pool has no terms.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The term itself.
    pub fn term(&self, id: TermId) -> Term {
        self.terms[id.index()]
    }

    /// Width in bits, or [`ARRAY`].
    pub fn width(&self, id: TermId) -> u32 {
        self.terms[id.index()].width as u32
    }

    /// The value, if the term is a constant.
    pub fn value(&self, id: TermId) -> Option<u128> {
        let term = self.terms[id.index()];
        term.is_const().then(|| self.values[term.fields[0] as usize])
    }

    /// The bytes, if the term is a table.
    pub fn table_bytes(&self, id: TermId) -> Option<&Arc<[u8]>> {
        let term = self.terms[id.index()];
        (term.kind == Kind::Table).then(|| &self.tables[term.fields[0] as usize])
    }

    /// The input view, if the term is one.
    pub fn input_view(&self, id: TermId) -> Option<InputView> {
        self.terms[id.index()].input()
    }

    /// Returns the input bytes that the term depends on, as sorted ranges that do not touch.
    pub fn support(&self, id: TermId) -> Vec<ByteRange> {
        self.support_of_all([id])
    }

    /// Returns the input bytes that any of the terms depends on.
    pub fn support_of_all(&self, ids: impl IntoIterator<Item = TermId>) -> Vec<ByteRange> {
        self.supports.ranges(ids.into_iter().map(|id| self.support_id(id)))
    }

    /// Number of the set of input bytes that the term depends on. Equal sets have equal numbers.
    pub fn support_id(&self, id: TermId) -> SupportId {
        self.supports_of[id.index()]
    }

    /// Returns the input and the offset of the byte that a term depends on, if there is only one.
    pub fn only_byte(&self, id: TermId) -> Option<(u32, u32)> {
        self.support_node(self.support_id(id)).only_byte()
    }

    pub(crate) fn support_node(&self, support: SupportId) -> support::Node {
        self.supports.node(support)
    }

    /// Number of nodes of all sets of input bytes.
    pub fn n_supports(&self) -> usize {
        self.supports.len()
    }
}

impl TermPool {
    fn intern(&mut self, term: Term) -> TermId {
        let hash = FxBuildHasher.hash_one(Hashed(&term));
        if let Some(&id) = self.ids.find(hash, |&id| self.terms[id as usize] == term) {
            return TermId(id);
        }
        let id = u32::try_from(self.terms.len()).expect("fewer than 2^32 terms");
        let support = self.support_of(&term);
        self.terms.push(term);
        self.supports_of.push(support);
        self.ids.insert_unique(hash, id, |&id| FxBuildHasher.hash_one(Hashed(&self.terms[id as usize])));
        TermId(id)
    }

    fn support_of(&mut self, term: &Term) -> SupportId {
        if let Some(view) = term.input() {
            let range =
                ByteRange { input: view.input, start: view.offset, end: view.offset.saturating_add(view.n_bytes()) };
            return self.supports.range(range);
        }
        let mut support = SupportId::EMPTY;
        for operand in term.operands() {
            support = self.supports.union(support, self.supports_of[operand.index()]);
        }
        support
    }

    fn require(&self, op: Op, width: u32, operands: &[TermId], immediate: u32) -> Result<(), IllFormed> {
        let mut widths = [0; 3];
        let n = operands.len().min(3);
        for (width, operand) in widths.iter_mut().zip(operands) {
            *width = self.width(*operand);
        }
        if operands.len() <= 3 && well_formed(op, width, &widths[..n], immediate) {
            return Ok(());
        }
        Err(IllFormed { op, width, operand_widths: operands.iter().map(|&id| self.width(id)).collect(), immediate })
    }

    fn require_access(&self, array: TermId, index: TermId, width: u32) {
        assert_eq!(self.width(array), ARRAY, "only arrays have elements");
        assert_eq!(self.width(index), 64, "arrays are indexed by 64 bits");
        assert!(is_input_width(width), "arrays hold bytes, not {width} bits");
    }
}

/// True if `Input` terms and array accesses of this width exist.
pub fn is_input_width(width: u32) -> bool {
    width.is_multiple_of(8) && (8..=128).contains(&width)
}

/// A term prepared for the hasher: its sixteen bytes as two words, which is twice as fast as the derived hash.
struct Hashed<'a>(&'a Term);

impl Hash for Hashed<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        let Term { kind, width, fields: [a, b, c] } = *self.0;
        let kind = match kind {
            Kind::Op(op) => op as u64,
            Kind::Table => 253,
            Kind::Select => 254,
            Kind::Store => 255,
        };
        state.write_u64(kind << 40 | (width as u64) << 32 | a as u64);
        state.write_u64((b as u64) << 32 | c as u64);
    }
}
