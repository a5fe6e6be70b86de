//! The tiers before SMT, in the order in which a query meets them.

pub(crate) mod trivial;

pub(crate) mod slice;

pub(crate) mod pointers;

pub(crate) mod domains;

pub(crate) mod direct;

pub(crate) mod cache;

pub(crate) mod ranges;

pub(crate) mod guess;
