//! Executors on other machines, as the engine sees them: orders and replies. `tine-remote` transports them.
//!
//! ```text
//!   selector:  Explorer ──Job──▶ Away ──Order──▶ Link  ~~~~~~▶  Server ──▶ LocalExecutor    :worker
//!                      ◀─JobResult─     ◀─Reply──       ◀~~~~~~
//! ```
//! An order has all data that a worker needs besides the [`Manifest`]: the flip, and the input of its parent. A reply
//! has the answer. If a subtree was leased (`tine_explore::lease`), it also has answers to flips that the selector will
//! probably ask for next.

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

/// A job with all data that a worker needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    pub number: u64,
    pub task: Task,
    /// Maximum number of results. With more than one, the worker also explores the subtree below the first.
    pub lease: u32,
}

/// Kinds of work.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// Run this input.
    Input(Arc<Input>),
    /// Run an input that is filled from this seed.
    Fresh(u64),
    /// Find an input for a flip of a run with this input. `again`: with twice the limits.
    Flip { flip: Flip, parent: Arc<Input>, again: bool },
}

/// The result of one job.
#[derive(Debug)]
pub struct Answer {
    /// `None` for the job of the order. Otherwise the parent is a case of an earlier answer.
    pub flip: Option<Flip>,
    pub result: JobResult,
    /// Input of the run, if there was one.
    pub input: Option<Input>,
    pub evidence: Option<Evidence>,
}

/// Data about a run that only its executor has, for a case that may be kept.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Readable form of the input.
    pub map: InputMap,
    /// All edges that the run took.
    pub covers: Vec<Edge>,
    pub output: Vec<u8>,
}

/// The reply to an order.
#[derive(Debug)]
pub struct Reply {
    pub number: u64,
    /// Name of the worker.
    pub worker: Arc<str>,
    /// The answers, that to the order first; or the reason why the worker has none.
    pub answers: Result<Vec<Answer>, String>,
    /// Token for [`Link::receipts`].
    pub receipt: u64,
}

/// Events of a link.
#[derive(Debug)]
pub enum Delivery {
    Reply(Reply),
    /// The order did not reach the hub, or no worker accepts it.
    Undeliverable(u64),
    /// The order ended this number of workers, and is not given to another.
    Deadly(u64, u32),
    /// A message for the user.
    Notice(String),
}

/// Confirms replies whose results are stored. Callable from any thread.
pub type Receipts = Arc<dyn Fn(&[u64]) + Send + Sync>;

/// A connection to other machines, before the exploration is known.
pub trait Hub: Send {
    /// Publishes an exploration.
    fn open(self: Box<Self>, offer: Offer) -> Result<Box<dyn Link>, HubError>;
}

/// The connection of an exploration.
pub trait Link: Send {
    /// Number of orders that may be outstanding: some per worker, 0 without workers.
    fn window(&self) -> usize;
    fn send(&mut self, order: Order);
    /// Reports that an order has its answer. Workers that still have it may drop it.
    fn settled(&mut self, number: u64);
    fn receive(&mut self, wait: Duration) -> Option<Delivery>;
    /// Reports covered edges, which runs need not report again.
    fn covered(&mut self, edges: &[Edge]);
    /// Excludes a worker: it gets no more orders, and its replies are ignored.
    fn exclude(&mut self, worker: &str, why: &str);
    fn receipts(&self) -> Receipts;
    /// Number of simultaneous jobs that each worker offers, by its name.
    fn workers(&self) -> BTreeMap<Arc<str>, u32>;
}

/// A hub that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct HubError {
    pub what: String,
    pub help: &'static str,
}
