//! Subjects, streams, and the messages that are text. The version is part of every name: another version of tine uses others.

use std::time::Duration;

use async_nats::jetstream::{self, stream};
use serde::{Deserialize, Serialize};

use crate::signature::Signature;

/// Version of the protocol.
pub(crate) const VERSION: u32 = 1;

/// Where selectors announce their explorations, and where workers ask them to.
pub(crate) const EXPLORATIONS: &str = "tine.1.explorations";
pub(crate) const WHO: &str = "tine.1.who";
/// Workers say what they do.
pub(crate) const PRESENCE: &str = "tine.1.presence";

pub(crate) const OBJECTS: &str = "TINE_1";
pub(crate) const ORDERS: &str = "TINE_ORDERS_1";
pub(crate) const REPLIES: &str = "TINE_REPLIES_1";

/// After this time without a sign of its worker, an order is given to another.
pub(crate) const LEASE: Duration = Duration::from_secs(3);
/// Time between two signs.
pub(crate) const SIGN: Duration = Duration::from_secs(1);
/// Time between two announcements.
pub(crate) const ANNOUNCE: Duration = Duration::from_millis(500);
/// An exploration or worker that was silent for so long is gone.
pub(crate) const SILENCE: Duration = Duration::from_secs(6);
/// Orders and replies of explorations that ended without a word.
const MAX_AGE: Duration = Duration::from_secs(24 * 3600);

/// Bytes of a message, at most: servers accept a MiB by default.
pub(crate) const MAX_MESSAGE: usize = 900 << 10;

pub(crate) fn orders(id: &str) -> String {
    format!("tine.1.order.{id}")
}

pub(crate) fn replies(id: &str) -> String {
    format!("tine.1.reply.{id}")
}

/// Replies where the server has no room for those of the stream.
pub(crate) fn direct(id: &str) -> String {
    format!("tine.1.direct.{id}")
}

/// Covered edges, and what the workers of one exploration should know.
pub(crate) fn news(id: &str) -> String {
    format!("tine.1.news.{id}")
}

/// A worker asks whether to do an order that another died with.
pub(crate) fn suspect(id: &str) -> String {
    format!("tine.1.suspect.{id}")
}

/// An exploration that wants workers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Announcement {
    pub(crate) protocol: u32,
    /// Of tine.
    pub(crate) version: String,
    pub(crate) id: String,
    /// Name of the explored function or program.
    pub(crate) target: String,
    /// Name of the object with the manifest: its digest.
    pub(crate) manifest: String,
    pub(crate) signature: Option<Signature>,
    /// Orders that are out.
    pub(crate) out: usize,
    /// True for the last announcement.
    pub(crate) is_over: bool,
}

impl Announcement {
    /// The part that is signed.
    pub(crate) fn signed(id: &str, manifest: &str) -> Vec<u8> {
        format!("tine {VERSION} {id} {manifest}").into_bytes()
    }
}

/// A worker that takes part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Presence {
    pub(crate) worker: String,
    pub(crate) version: String,
    /// Orders that it can do at a time.
    pub(crate) jobs: u32,
    /// The exploration that it serves.
    pub(crate) exploration: Option<String>,
    pub(crate) orders: u64,
    /// Orders a second, of late.
    pub(crate) rate: f64,
}

/// What the workers of an exploration should know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum News {
    /// All edges that are covered.
    Covered(Vec<u32>),
    Excluded {
        worker: String,
        why: String,
    },
}

/// A worker's question about an order that was delivered before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Suspect {
    pub(crate) number: u64,
}

/// Makes the streams if they are not there.
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
