//! Executors on other machines: transport of orders and replies by a NATS server with JetStream.
//!
//! ```text
//!   selector ── announcement ──▶ tine.explorations             every half second, signed if required
//!            ── program ───────▶ object store TINE_1           once, by digest
//!            ── orders ────────▶ TINE_ORDERS_1  tine.1.order.ID ──▶ worker    redelivered when the worker dies
//!   worker   ── replies ───────▶ TINE_REPLIES_1 tine.1.reply.ID ──▶ selector  acknowledged when the session has them
//! ```
//! `docs/reference/protocol.md` describes the protocol. [`login`] connects. [`selector`] is a hub for the engine.
//! [`worker`] serves explorations of other machines. [`server`] runs a server on this machine, and [`status`] asks a server
//! for its state. The asynchronous runtime is internal to this crate.

pub mod login;
mod protocol;
pub mod selector;
pub mod server;
mod signature;
pub mod status;
mod suspects;
mod wire;
pub mod worker;

pub use login::Login;
pub use signature::AllowedKeys;
