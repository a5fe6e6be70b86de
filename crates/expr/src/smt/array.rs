//! Arrays without a theory of arrays: a read is a choice among the possible values.
//!
//! ```text
//!   select (store (store base 3 x) i y) j      =   ite (j = i) y  (base, with x at 3, at j)
//!                 └── image ──┘ └ store ┘
//! ```
//! Stores at unknown indices are compared one by one, the newest first. The table with the stores at known indices
//! below them is an *image*: a tree over the bits of the index, in which equal parts are shared. If indices are
//! multiples of an element's size, all other places are left out.

use rustc_hash::FxHashMap;

use super::function::{Function, Sort};
use super::lower::{Form, Lowering, Target, Unsupported, extract};
use crate::index::{Distance, distance, few_values, known_low_bits, largest};
use crate::pool::TermPool;
use crate::term::{Kind, TermId};

/// Maximum number of places of an image.
const MAX_PLACES: u32 = 1 << 20;

/// Known indices below this belong to an image, even after the end of its table.
const NEAR: usize = 1 << 10;

/// A node of an image's tree that no index reaches.
const ANYTHING: u32 = u32::MAX;

/// A byte of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Byte {
    Known(u8),
    /// A byte of a stored value.
    Of(TermId, u32),
}

impl<T: Target> Lowering<T> {
    /// Lowers the element that a `Select` reads. The indices and values of all stores below it are lowered.
    pub(super) fn select(&mut self, target: &mut T, pool: &TermPool, id: TermId) -> Result<T::Term, Unsupported> {
        let term = pool.term(id);
        let (index, n) = (term.operand(1), term.width() / 8);
        let mut stores = Vec::new();
        let mut array = term.operand(0);
        while pool.term(array).kind() == Kind::Store {
            stores.push(array);
            array = pool.term(array).operand(0);
        }
        let near = pool.table_bytes(array).map_or(0, |bytes| bytes.len()).max(NEAR) as u128;
        let is_apart = |store: &TermId| pool.value(pool.term(*store).operand(1)).is_none_or(|at| at >= near);
        let n_unknown = stores.iter().rposition(is_apart).map_or(0, |last| last + 1);
        let image = image(pool, array, &stores[n_unknown..]);
        let mut result = self.in_image(target, pool, &image, index, n)?;
        for &store in stores[..n_unknown].iter().rev() {
            let (at, value) = (pool.term(store).operand(1), pool.term(store).operand(2));
            let m = pool.width(value) / 8;
            match distance(pool, (at, m), (index, n)) {
                Distance::Known(d) => result = self.laid_over(target, pool, value, result, (d, m, n)),
                Distance::Among(distances) => {
                    for d in distances {
                        let over = self.laid_over(target, pool, value, result.clone(), (d, m, n));
                        let place = self.moved(target, at, d);
                        let here = target.apply(Function::Eq, &[self.bits_of(index), place], Sort::Bool);
                        result = target.apply(Function::Ite, &[here, over, result], Sort::Bits(n * 8));
                    }
                }
            }
        }
        Ok(result)
    }

    fn bits_of(&self, id: TermId) -> T::Term {
        self.terms[&(id, Form::Bits)].clone()
    }

    /// `at + d`.
    fn moved(&self, target: &mut T, at: TermId, d: i64) -> T::Term {
        let at = self.bits_of(at);
        if d == 0 {
            return at;
        }
        let d = target.bits(64, u128::from(d as u64));
        target.apply(Function::BvAdd, &[at, d], Sort::Bits(64))
    }

    /// Overlays a store on `n` bytes `below`. The store has `m` bytes and begins `d` bytes before them.
    fn laid_over(
        &self,
        target: &mut T,
        pool: &TermPool,
        value: TermId,
        below: T::Term,
        (d, m, n): (i64, u32, u32),
    ) -> T::Term {
        let (from, to) = ((-d).max(0), i64::from(n).min(i64::from(m) - d));
        if from >= to {
            return below;
        }
        let (from, to) = (from as u32, to as u32);
        let value_bits = self.bits_of(value);
        let first = (i64::from(from) + d) as u32;
        let mut whole = part(target, &value_bits, pool.width(value), first * 8, (to - from) * 8);
        if from > 0 {
            let low = part(target, &below, n * 8, 0, from * 8);
            whole = target.apply(Function::BvConcat, &[whole, low], Sort::Bits(to * 8));
        }
        if to < n {
            let high = part(target, &below, n * 8, to * 8, (n - to) * 8);
            whole = target.apply(Function::BvConcat, &[high, whole], Sort::Bits(n * 8));
        }
        whole
    }

    /// Reads `n` bytes of an image at `index`.
    fn in_image(
        &mut self,
        target: &mut T,
        pool: &TermPool,
        image: &[Byte],
        index: TermId,
        n: u32,
    ) -> Result<T::Term, Unsupported> {
        let width = n * 8;
        let leaf = |place: u64| -> Vec<Byte> {
            let byte = |k: u32| {
                let at = place.wrapping_add(u64::from(k));
                usize::try_from(at).ok().and_then(|at| image.get(at)).copied().unwrap_or(Byte::Known(0))
            };
            (0..n).map(byte).collect()
        };
        let (first_bit, low) = known_low_bits(pool, index);
        let n_bits = (image.len() as u64).next_power_of_two().ilog2();
        let n_places = 1u64 << n_bits.saturating_sub(first_bit);
        if n_places > u64::from(MAX_PLACES) {
            return Err(Unsupported(format!("an array of {} bytes", image.len())));
        }
        let index_bits = self.bits_of(index);
        let mut nodes = Nodes::default();
        // A place that no index reaches may have any value.
        let reached = few_values(pool, index);
        let is_reached = |place: u64| reached.as_ref().is_none_or(|reached| reached.contains(&place));
        let mut level: Vec<u32> = (0..n_places)
            .map(|place| place << first_bit | low)
            .map(|place| match is_reached(place) {
                true => nodes.leaf(leaf(place), |bytes| self.word(target, pool, bytes)),
                false => ANYTHING,
            })
            .collect();
        for bit in first_bit..n_bits {
            let one = target.bits(1, 1);
            let is_set = extract(target, index_bits.clone(), bit, 1);
            let is_set = target.apply(Function::Eq, &[is_set, one], Sort::Bool);
            level = level
                .chunks(2)
                .map(|pair| {
                    nodes.inner(bit, pair[0], pair[1], |no, yes| {
                        target.apply(Function::Ite, &[is_set.clone(), yes, no], Sort::Bits(width))
                    })
                })
                .collect();
        }
        let mut result = match level[0] {
            ANYTHING => target.bits(width, 0),
            known => nodes.terms[known as usize].clone(),
        };
        let largest = match &reached {
            Some(reached) => u128::from(reached.last().copied().unwrap_or(0)),
            None => largest(pool, index),
        };
        if largest >= 1 << n_bits.max(first_bit) {
            let len = target.bits(64, image.len() as u128);
            let inside = target.apply(Function::BvUlt, &[index_bits.clone(), len], Sort::Bool);
            let zero = target.bits(width, 0);
            result = target.apply(Function::Ite, &[inside, result, zero], Sort::Bits(width));
        }
        // Reads that begin before the first byte, because indices wrap around.
        for before in 1..u64::from(n) {
            let place = before.wrapping_neg();
            if largest >= u128::from(place) && place & ((1 << first_bit) - 1) == low {
                let here = target.bits(64, u128::from(place));
                let here = target.apply(Function::Eq, &[index_bits.clone(), here], Sort::Bool);
                let bytes = self.word(target, pool, &leaf(place));
                result = target.apply(Function::Ite, &[here, bytes, result], Sort::Bits(width));
            }
        }
        Ok(result)
    }

    /// Combines consecutive bytes into one value.
    /// @207t t unreachable, because the bytes are consecutive
    fn word(&self, target: &mut T, pool: &TermPool, bytes: &[Byte]) -> T::Term {
        let mut whole: Option<(T::Term, u32)> = None;
        let mut start = 0;
        while start < bytes.len() {
            let follows = |k: &usize| match (bytes[start], bytes[start + k]) {
                (Byte::Known(_), Byte::Known(_)) => true,
                (Byte::Of(a, first), Byte::Of(b, other)) => a == b && other == first + *k as u32,
                _ => false,
            };
            let len = (1..bytes.len() - start).take_while(follows).count() + 1;
            let width = len as u32 * 8;
            let piece = match bytes[start] {
                Byte::Of(value, first) => {
                    let bits = self.bits_of(value);
                    part(target, &bits, pool.width(value), first * 8, width)
                }
                Byte::Known(_) => {
                    let known = bytes[start..start + len].iter().rev().fold(0, |value, byte| match byte {
                        Byte::Known(byte) => value << 8 | u128::from(*byte),
                        Byte::Of(..) => value << 8, // not reached: they follow each other
                    });
                    target.bits(width, known)
                }
            };
            whole = Some(match whole {
                Some((low, low_width)) => {
                    let width = low_width + width;
                    (target.apply(Function::BvConcat, &[piece, low], Sort::Bits(width)), width)
                }
                None => (piece, width),
            });
            start += len;
        }
        whole.map_or_else(|| target.bits(8, 0), |(term, _)| term)
    }
}

/// Nodes of an image's tree. Equal nodes are shared.
struct Nodes<S> {
    terms: Vec<S>,
    leaves: FxHashMap<Vec<Byte>, u32>,
    inner: FxHashMap<(u32, u32, u32), u32>,
}

impl<S> Default for Nodes<S> {
    fn default() -> Self {
        Self { terms: Vec::new(), leaves: FxHashMap::default(), inner: FxHashMap::default() }
    }
}

impl<S: Clone> Nodes<S> {
    fn leaf(&mut self, bytes: Vec<Byte>, make: impl FnOnce(&[Byte]) -> S) -> u32 {
        let next = self.terms.len() as u32;
        if let Some(known) = self.leaves.get(&bytes) {
            return *known;
        }
        self.terms.push(make(&bytes));
        self.leaves.insert(bytes, next);
        next
    }

    fn inner(&mut self, bit: u32, no: u32, yes: u32, make: impl FnOnce(S, S) -> S) -> u32 {
        if no == yes || yes == ANYTHING {
            return no;
        }
        if no == ANYTHING {
            return yes;
        }
        let next = self.terms.len() as u32;
        let known = *self.inner.entry((bit, no, yes)).or_insert(next);
        if known == next {
            self.terms.push(make(self.terms[no as usize].clone(), self.terms[yes as usize].clone()));
        }
        known
    }
}

/// The table with the stores, newest first, whose indices are all constants.
fn image(pool: &TermPool, table: TermId, stores: &[TermId]) -> Vec<Byte> {
    let bytes = pool.table_bytes(table).map_or(&[][..], |bytes| bytes);
    let mut image: Vec<Byte> = bytes.iter().map(|byte| Byte::Known(*byte)).collect();
    for store in stores.iter().rev().map(|store| pool.term(*store)) {
        let (at, value) = (pool.value(store.operand(1)).unwrap_or(0) as u64, store.operand(2));
        for k in 0..pool.width(value) / 8 {
            let place = at as usize + k as usize;
            if place >= image.len() {
                image.resize(place + 1, Byte::Known(0));
            }
            image[place] = match pool.value(value) {
                Some(known) => Byte::Known((known >> (k * 8)) as u8),
                None => Byte::Of(value, k),
            };
        }
    }
    image
}

fn part<T: Target>(target: &mut T, whole: &T::Term, width: u32, low: u32, n_bits: u32) -> T::Term {
    if n_bits == width { whole.clone() } else { extract(target, whole.clone(), low, n_bits) }
}
