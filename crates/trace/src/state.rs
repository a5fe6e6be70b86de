//! The state of a program between two calls of a sequence, recorded so that the engine recognises states that were
//! reached before.
//!
//! The state is everything that a later call could read: variables of instrumented modules, objects of the heap that
//! are reachable from them, and contents of freed objects in memory that will be used again. The unit walks over it in
//! an order that does not depend on addresses: objects are numbered as they are met, and pointers are represented by
//! these numbers. All concrete contents go into one rolling hash. Every symbolic piece is a separate record, and
//! another record ends the state.
//!
//! ```text
//!   hash ─▶ piece (node 7, 4 bytes) ─▶ hash ─▶ piece (node 9, 4 bytes) ─▶ hash ─▶ end (3 calls left, event 12)
//! ```

/// A symbolic piece of a state, or its end, 24 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct StateRecord {
    /// Hash of everything before it in this state.
    pub hash: u64,
    /// Shadow of the first byte of the piece, as in the shadow map ([`crate::layout`]); 0 at the end.
    pub cell: u32,
    /// Size of the piece in bytes. At the end: number of calls that may still follow.
    pub len: u32,
    /// At the end: number of events logged before.
    pub n_events: u32,
    /// At the end: 1 if the state is complete.
    pub whole: u32,
}

impl StateRecord {
    /// True if the record ends the list.
    pub fn is_end(&self) -> bool {
        self.cell == 0
    }
}

const _: () = assert!(size_of::<StateRecord>() == 24);

/// The rolling hash.
pub const fn mix(hash: u64, value: u64) -> u64 {
    let product =
        ((hash ^ value) as u128 ^ 0x9e37_79b9_7f4a_7c15) * (value.rotate_left(32) ^ 0xd6e8_feb8_6659_fd93) as u128;
    let folded = product as u64 ^ (product >> 64) as u64;
    (folded ^ hash.rotate_left(29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}
