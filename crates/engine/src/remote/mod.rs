//! Executors on other machines, as the engine sees them: what is sent, and what comes back. How it travels is `tine-remote`'s.
//!
//! ```text
//!   selector:  Explorer ──Job──▶ Away ──Order──▶ Link  ~~~~~~▶  Server ──▶ LocalExecutor    :worker
//!                      ◀─JobResult─     ◀─Reply──       ◀~~~~~~
//! ```
//! An order has all that a worker needs besides the [`Manifest`]: the flip, and the input of its parent. A reply has the answer to it
//! and, where a subtree was leased (`tine_explore::lease`), answers to flips that the selector is expected to ask for next.

mod away;
mod check;
mod manifest;
mod server;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tine_explore::map::Edge;
use tine_explore::{Flip, JobResult};
use tine_types::Input;
use tine_types::map::InputMap;

pub(crate) use away::Away;
pub use manifest::{Manifest, Offer};
pub use server::{Bounds, Server, Serving, ServingError};

/// A job, with all that it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    pub number: u64,
    pub task: Task,
    /// Results to return at most. With more than one, the subtree after the first is explored.
    pub lease: u32,
}

/// The work of an order.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// Run this input.
    Input(Arc<Input>),
    /// Run an input that is filled from this seed.
    Fresh(u64),
    /// Find an input for a flip of a run with this input; `again` with twice the limits.
    Flip { flip: Flip, parent: Arc<Input>, again: bool },
}

/// The result of one job.
#[derive(Debug)]
pub struct Answer {
    /// None for the job of the order. Otherwise the parent is a case of an answer before this one.
    pub flip: Option<Flip>,
    pub result: JobResult,
    /// Of the run, if there was one.
    pub input: Option<Input>,
    pub evidence: Option<Evidence>,
}

/// A run that may be kept: what only its executor can say.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The input as people read it.
    pub map: InputMap,
    /// All edges that it took.
    pub covers: Vec<Edge>,
    pub output: Vec<u8>,
}

/// The reply to an order.
#[derive(Debug)]
pub struct Reply {
    pub number: u64,
    /// Name of the worker.
    pub worker: Arc<str>,
    /// The answer to the order comes first. Otherwise the reason why the worker has none.
    pub answers: Result<Vec<Answer>, String>,
    /// For [`Link::receipts`].
    pub receipt: u64,
}

/// What a link delivers.
#[derive(Debug)]
pub enum Delivery {
    Reply(Reply),
    /// The order did not reach the hub, or no worker can take it.
    Undeliverable(u64),
    /// So many workers died with this order.
    Deadly(u64, u32),
    /// Something that the user should know.
    Notice(String),
}

/// Confirms replies whose results are stored. Any thread may do it.
pub type Receipts = Arc<dyn Fn(&[u64]) + Send + Sync>;

/// A way to other machines, before the exploration is known.
pub trait Hub: Send {
    /// Publishes what is explored.
    fn open(self: Box<Self>, offer: Offer) -> Result<Box<dyn Link>, HubError>;
}

/// The hub of an exploration.
pub trait Link: Send {
    /// Orders that may be out at a time: some for each worker. 0 without workers.
    fn window(&self) -> usize;
    fn send(&mut self, order: Order);
    /// An order has its answer: workers that still have it may drop it.
    fn settled(&mut self, number: u64);
    fn receive(&mut self, wait: Duration) -> Option<Delivery>;
    /// These edges are covered: runs need not report them.
    fn covered(&mut self, edges: &[Edge]);
    /// A worker gets no more orders, and its replies are ignored.
    fn exclude(&mut self, worker: &str, why: &str);
    fn receipts(&self) -> Receipts;
    /// Jobs that each worker offers to do at a time, by its name.
    fn workers(&self) -> BTreeMap<Arc<str>, u32>;
}

/// A hub that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct HubError {
    pub what: String,
    pub help: &'static str,
}
