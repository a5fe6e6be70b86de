//! State of a hub: its explorations and workers.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use async_nats::jetstream;
use futures_util::StreamExt as _;
use serde::Serialize;
use tine_engine::remote::HubError;

use crate::login::{Login, block_on};
use crate::protocol::{self, Announcement, Presence};

/// Time in which explorations and workers answer. Both also report on their own, at least once a second.
const WAIT: Duration = Duration::from_millis(1200);

/// See the module's documentation.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    /// The server's address, without login data.
    pub hub: String,
    /// Version of the server.
    pub server: String,
    /// Number of bytes of programs, orders and replies.
    pub stored: u64,
    pub explorations: Vec<ExplorationStatus>,
    pub workers: Vec<WorkerStatus>,
}

/// An exploration on a hub.
#[derive(Clone, Debug, Serialize)]
pub struct ExplorationStatus {
    /// Name of the function or program.
    pub target: String,
    pub id: String,
    /// Version of tine.
    pub version: String,
    /// Number of orders without reply.
    pub in_flight: usize,
    /// Number of workers that serve it.
    pub workers: usize,
    /// Recent number of orders per second.
    pub rate: f64,
}

/// A worker of a hub.
#[derive(Clone, Debug, Serialize)]
pub struct WorkerStatus {
    pub name: String,
    pub version: String,
    /// Number of simultaneous jobs.
    pub jobs: u32,
    /// Name of the function or program that it serves.
    pub serves: Option<String>,
    /// Number of orders that it carried out for this exploration.
    pub orders: u64,
    /// Recent number of orders per second.
    pub rate: f64,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Status { hub, server, stored, explorations, workers } = self;
        writeln!(f, "hub at {hub}: nats-server {server}, {} KB stored", stored.div_ceil(1 << 10))?;
        if explorations.is_empty() {
            writeln!(f, "no explorations")?;
        }
        for ExplorationStatus { target, in_flight, workers, rate, .. } in explorations {
            let (workers, orders) = (count(*workers as u64, "worker"), count(*in_flight as u64, "order"));
            writeln!(f, "exploration `{target}`: {workers}, {orders} in flight, {rate:.0} orders/s")?;
        }
        if workers.is_empty() {
            writeln!(f, "no workers")?;
        }
        for WorkerStatus { name, jobs, serves, orders, rate, .. } in workers {
            let jobs = count(u64::from(*jobs), "job");
            match serves {
                Some(target) => {
                    let orders = count(*orders, "order");
                    writeln!(f, "worker {name}: {jobs}, serves `{target}`, {orders}, {rate:.0} orders/s")?;
                }
                None => writeln!(f, "worker {name}: {jobs}, idle")?,
            }
        }
        Ok(())
    }
}

/// `1 job`, `2 jobs`.
fn count(number: u64, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

/// Asks a hub for its state.
pub fn status(login: &Login) -> Result<Status, HubError> {
    block_on(async {
        let client = login.connect("tine hub status").await?;
        let lost = |_| HubError { what: "the connection to the hub ended".to_owned(), help: "try again" };
        let mut announcements = client.subscribe(protocol::EXPLORATIONS).await.map_err(lost)?;
        let mut presences = client.subscribe(protocol::PRESENCE).await.map_err(lost)?;
        let _ = client.publish(protocol::WHO, "".into()).await;
        let context = jetstream::new(client.clone());
        let mut stored = 0;
        for stream in [protocol::ORDERS, protocol::REPLIES, protocol::PROGRAMS] {
            stored += context.get_stream(stream).await.map_or(0, |stream| stream.cached_info().state.bytes);
        }
        let (mut explorations, mut workers) = (BTreeMap::new(), BTreeMap::new());
        let until = tokio::time::sleep(WAIT);
        tokio::pin!(until);
        loop {
            tokio::select! {
                () = &mut until => break,
                Some(message) = announcements.next() => {
                    if let Ok(Announcement { id, target, version, out, is_over, .. }) = serde_json::from_slice(&message.payload) {
                        if is_over {
                            explorations.remove(&id);
                        } else {
                            let new = ExplorationStatus { target, id: id.clone(), version, in_flight: out, workers: 0, rate: 0.0 };
                            explorations.insert(id, new);
                        }
                    }
                }
                Some(message) = presences.next() => {
                    if let Ok(presence) = serde_json::from_slice::<Presence>(&message.payload) {
                        workers.insert(presence.worker.clone(), presence);
                    }
                }
            }
        }
        let workers = workers.into_values().filter(|presence| presence.jobs > 0);
        let workers: Vec<WorkerStatus> = workers.map(|presence| describe(presence, &mut explorations)).collect();
        Ok(Status {
            hub: login.place(),
            server: client.server_info().version,
            stored,
            explorations: explorations.into_values().collect(),
            workers,
        })
    })?
}

fn describe(presence: Presence, explorations: &mut BTreeMap<String, ExplorationStatus>) -> WorkerStatus {
    let Presence { worker: name, version, jobs, exploration, orders, rate, .. } = presence;
    let served = exploration.and_then(|id| explorations.get_mut(&id));
    let serves = served.map(|served| {
        served.workers += 1;
        served.rate += rate;
        served.target.clone()
    });
    WorkerStatus { name, version, jobs, serves, orders, rate }
}
