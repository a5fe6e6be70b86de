//! Subjects, streams, and text messages. The version is part of the names, so another version of the protocol uses other
//! names. Announcements and presence have one subject for all versions: both sides see others, and can name them.

use std::time::Duration;

use async_nats::jetstream::{self, stream};
use serde::{Deserialize, Serialize};

use crate::signature::Signature;

/// Version of the protocol.
pub(crate) const VERSION: u32 = 1;

/// Subject on which selectors announce their explorations.
pub(crate) const EXPLORATIONS: &str = "tine.explorations";
/// Subject on which workers report their state.
pub(crate) const PRESENCE: &str = "tine.presence";
/// Subject of requests for both.
pub(crate) const WHO: &str = "tine.who";

pub(crate) const OBJECTS: &str = "TINE_1";
/// Stream of the object store.
pub(crate) const PROGRAMS: &str = "OBJ_TINE_1";
pub(crate) const ORDERS: &str = "TINE_ORDERS_1";
pub(crate) const REPLIES: &str = "TINE_REPLIES_1";

/// Time without a sign of its worker after which an order is given to another.
pub(crate) const LEASE: Duration = Duration::from_secs(3);
/// Interval between two signs.
pub(crate) const SIGN: Duration = Duration::from_secs(1);
/// Interval between two announcements.
pub(crate) const ANNOUNCE: Duration = Duration::from_millis(500);
/// Silence after which an exploration or worker counts as gone.
pub(crate) const SILENCE: Duration = Duration::from_secs(6);
/// Silence after which the holder of an order counts as dead when the order was given to another worker. Its last sign is
/// at least `LEASE - SIGN` old then.
pub(crate) const DEAD: Duration = Duration::from_secs(2);
/// Age at which orders and replies of explorations that did not clean up are removed.
const MAX_AGE: Duration = Duration::from_secs(24 * 3600);

/// Maximum size of a message in bytes: servers accept 1 MiB by default.
pub(crate) const MAX_MESSAGE: usize = 900 << 10;

pub(crate) fn orders(id: &str) -> String {
    format!("tine.1.order.{id}")
}

pub(crate) fn replies(id: &str) -> String {
    format!("tine.1.reply.{id}")
}

/// Subject for replies if the server has no room for them in the stream.
pub(crate) fn direct(id: &str) -> String {
    format!("tine.1.direct.{id}")
}

/// Subject for covered edges and other news for the workers of one exploration.
pub(crate) fn news(id: &str) -> String {
    format!("tine.1.news.{id}")
}

/// Subject for a worker's question whether to do an order during which another worker died, and for returned orders.
pub(crate) fn suspect(id: &str) -> String {
    format!("tine.1.suspect.{id}")
}

/// Subject for workers that cannot serve an exploration.
pub(crate) fn refusals(id: &str) -> String {
    format!("tine.1.refusal.{id}")
}

/// Subject for answers of the solver, which workers share.
pub(crate) fn answers(id: &str) -> String {
    format!("tine.1.answers.{id}")
}

/// An exploration that is open for workers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Announcement {
    pub(crate) protocol: u32,
    /// Version of tine.
    pub(crate) version: String,
    pub(crate) id: String,
    /// Name of the explored function or program.
    pub(crate) target: String,
    /// Name of the object with the manifest, which is its digest.
    pub(crate) manifest: String,
    pub(crate) signature: Option<Signature>,
    /// Number of outstanding orders.
    pub(crate) out: usize,
    /// True for the last announcement.
    pub(crate) is_over: bool,
}

impl Announcement {
    /// The signed part.
    pub(crate) fn signed(id: &str, manifest: &str) -> Vec<u8> {
        format!("tine {VERSION} {id} {manifest}").into_bytes()
    }
}

/// A worker of an exploration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Presence {
    pub(crate) protocol: u32,
    pub(crate) worker: String,
    /// Version of tine.
    pub(crate) version: String,
    /// Number of orders that it can do at a time.
    pub(crate) jobs: u32,
    /// The exploration that it serves.
    pub(crate) exploration: Option<String>,
    pub(crate) orders: u64,
    /// Recent number of orders per second.
    pub(crate) rate: f64,
}

/// News for the workers of an exploration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum News {
    /// All covered edges.
    Covered(Vec<u32>),
    Excluded {
        worker: String,
        why: String,
    },
}

/// The first fields of announcements and presence, which all versions have.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Head {
    pub(crate) protocol: u32,
    pub(crate) version: String,
    #[serde(default)]
    pub(crate) worker: String,
}

/// A worker's question about an order that was delivered before, or its message that it does not finish the order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Suspect {
    pub(crate) number: u64,
    pub(crate) worker: String,
    /// True if the worker ends and gives the order back.
    pub(crate) is_returned: bool,
}

/// A worker that cannot serve an exploration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Refusal {
    pub(crate) worker: String,
    pub(crate) why: String,
    /// True if the program on the hub is missing or differs from its digest.
    pub(crate) is_corrupt: bool,
}

/// Creates the streams if they do not exist.
pub(crate) async fn make_streams(context: &jetstream::Context) -> Result<(), String> {
    for (name, subject) in [(ORDERS, "tine.1.order.>"), (REPLIES, "tine.1.reply.>")] {
        let config = stream::Config {
            name: name.to_owned(),
            subjects: vec![subject.to_owned()],
            retention: stream::RetentionPolicy::WorkQueue,
            max_age: MAX_AGE,
            ..stream::Config::default()
        };
        context.get_or_create_stream(config).await.map_err(|why| why.to_string())?;
    }
    Ok(())
}

/// The store of programs.
pub(crate) async fn objects(context: &jetstream::Context) -> Result<jetstream::object_store::ObjectStore, String> {
    if let Ok(store) = context.get_object_store(OBJECTS).await {
        return Ok(store);
    }
    let config = jetstream::object_store::Config { bucket: OBJECTS.to_owned(), max_age: MAX_AGE, ..Default::default() };
    context.create_object_store(config).await.map_err(|why| why.to_string())
}
