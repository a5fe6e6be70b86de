//! Executors on other machines: how orders and replies travel, on a NATS server with JetStream.
//!
//! ```text
//!   selector ── announcement ──▶ tine.1.explorations           every half second, signed where that is asked for
//!            ── program ───────▶ object store TINE_1           once, by digest
//!            ── orders ────────▶ TINE_ORDERS_1  tine.1.order.ID ──▶ worker    redelivered when the worker dies
//!   worker   ── replies ───────▶ TINE_REPLIES_1 tine.1.reply.ID ──▶ selector  acknowledged when the session has them
//! ```
//! `docs/explanation/scale.md` describes the protocol. [`login`] connects; [`selector`] is a hub for the engine; [`worker`] serves
//! explorations of others; The asynchronous runtime stays inside.

pub mod login;
mod protocol;
pub mod selector;
mod signature;
mod wire;
pub mod worker;

pub use login::Login;
pub use signature::AllowedKeys;
