//! The alphabet of a specification.
//!
//! An event is a call or return of a function at which at least one proposition holds. Its *letter* is the set of
//! propositions that hold. Only propositions about the same moment of the same function can hold together, so the
//! alphabet stays small. Propositions about different objects (`on`) are different events:
//!
//! ```text
//!   opened := return conn_open if result == 0        letters   point 0 (return conn_open): {opened}
//!   send   := call conn_send                                   point 1 (call conn_send):   {send}, {big}, {send, big}
//!   big    := call conn_send if n > 4096
//! ```

use crate::syntax::{Moment, PropositionId, Spec};

/// Maximum number of propositions of one point: its letters are all sets of them.
pub const MAX_PER_POINT: usize = 8;

/// A moment of a function at which events can happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    pub moment: Moment,
    pub function: String,
    /// Expression for the object, if the propositions have one.
    pub object: Option<String>,
    pub propositions: Vec<PropositionId>,
    /// Number of the first letter. The letter of a set with the bits `b` is `first + b - 1`.
    pub first: usize,
}

/// The points and letters of a specification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Letters {
    pub points: Vec<Point>,
    /// Propositions that hold for each letter, as bits.
    pub sets: Vec<u128>,
}

impl Letters {
    /// Returns the alphabet, or the function that has too many propositions.
    pub fn new(spec: &Spec) -> Result<Letters, String> {
        let mut letters = Letters::default();
        for (id, proposition) in spec.propositions.iter().enumerate() {
            let same = |point: &&mut Point| {
                (point.moment, &point.function, &point.object)
                    == (proposition.moment, &proposition.function, &proposition.object)
            };
            match letters.points.iter_mut().find(same) {
                Some(point) => point.propositions.push(id),
                None => letters.points.push(Point {
                    moment: proposition.moment,
                    function: proposition.function.clone(),
                    object: proposition.object.clone(),
                    propositions: vec![id],
                    first: 0,
                }),
            }
        }
        for point in &mut letters.points {
            if point.propositions.len() > MAX_PER_POINT {
                return Err(point.function.clone());
            }
            point.first = letters.sets.len();
            for bits in 1_u128..1 << point.propositions.len() {
                let holds = |(index, id): (usize, &PropositionId)| (bits >> index & 1) << id;
                letters.sets.push(point.propositions.iter().enumerate().map(holds).sum());
            }
        }
        Ok(letters)
    }
}
