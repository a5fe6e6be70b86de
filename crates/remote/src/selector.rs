//! The selector's side: a hub for the engine. A thread owns the connection; the engine's calls become commands to it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, jetstream::Message as Stored};
use futures_util::StreamExt as _;
use nkeys::KeyPair;
use tine_engine::remote::{Delivery, Hub, HubError, Link, Offer, Order, Receipts, Reply};
use tine_engine::verified::digest;
use tine_explore::map::Edge;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use crate::login::{Login, block_on};
use crate::protocol::{self, Announcement, DEAD, Head, LEASE, MAX_MESSAGE, News, Presence, Refusal, SILENCE, Suspect};
use crate::signature::{read_key, sign};
use crate::suspects::{MAX_ENDED, Suspects};
use crate::wire::{read_message, write_order};

/// Orders per simultaneous job of a worker: one is being done, the others are in transit.
const ORDERS_EACH: usize = 3;
/// Attempts to publish an order.
const ATTEMPTS: u32 = 3;
/// Time after which an order that is neither queued nor held is sent again.
const LOST: Duration = Duration::from_secs(4);
/// Time for the final messages.
const FAREWELL: Duration = Duration::from_secs(1);
/// Time without orders for workers after the server did not accept one.
const BROKEN: Duration = Duration::from_secs(5);
/// Time after which consumers of selectors that did not clean up are removed.
const INACTIVE: Duration = Duration::from_secs(3600);
/// Time in which a session must save results.
const SAVING: Duration = Duration::from_secs(300);
const MAX_UNCONFIRMED: i64 = 1 << 20;

enum Command {
    Send(Order),
    Settled(u64),
    Covered(Vec<Edge>),
    Exclude(String, String),
    Confirm(Vec<u64>),
    Over,
}

/// Workers of an exploration: the number of their jobs, and the time of their last sign.
type Workers = Arc<Mutex<Present>>;

#[derive(Debug, Default)]
struct Present {
    workers: BTreeMap<Arc<str>, (u32, Instant)>,
    /// Time at which the server did not accept an order.
    broken: Option<Instant>,
}

/// A connected server.
struct Connected {
    offer: oneshot::Sender<(Offer, Sender<Result<Opened, HubError>>)>,
    thread: JoinHandle<()>,
}

struct Opened {
    commands: UnboundedSender<Command>,
    deliveries: Receiver<Delivery>,
    workers: Workers,
}

struct NatsLink {
    opened: Opened,
    thread: Option<JoinHandle<()>>,
}

/// Connects to a server. `key` is the file of the NKey that signs the exploration.
pub fn connect(login: Login, key: Option<&Path>) -> Result<Box<dyn Hub>, HubError> {
    let key = key.map(read_key).transpose()?;
    let (offer, offered) = oneshot::channel::<(Offer, Sender<Result<Opened, HubError>>)>();
    let (ready, is_ready) = channel();
    let thread = std::thread::spawn(move || {
        let _ = block_on(async move {
            let client = match login.connect("tine").await {
                Ok(client) => client,
                Err(why) => return drop(ready.send(Err(why))),
            };
            let context = jetstream::new(client.clone());
            if let Err(why) = protocol::make_streams(&context).await {
                return drop(ready.send(Err(login.no_jetstream(&why))));
            }
            let _ = ready.send(Ok(()));
            let Ok((offer, opened)) = offered.await else { return };
            let (commands, to_do) = unbounded_channel();
            let (delivered, deliveries) = channel();
            let workers = Workers::default();
            match Exploration::open(client, context, offer, key, delivered, Arc::clone(&workers)).await {
                Ok(exploration) => {
                    let _ = opened.send(Ok(Opened { commands, deliveries, workers }));
                    exploration.run(to_do).await;
                }
                Err(why) => drop(opened.send(Err(HubError {
                    what: format!("the hub at {} does not take the program: {why}", login.place()),
                    help: "look at the server's disk and its limits",
                }))),
            }
        });
    });
    let ended = || HubError { what: "the connection to the hub ended".to_owned(), help: "try again" };
    is_ready.recv().map_err(|_| ended())??;
    Ok(Box::new(Connected { offer, thread }))
}

/// Fails if a server cannot be used.
pub fn check(login: &Login) -> Result<(), HubError> {
    block_on(async {
        let client = login.connect("tine").await?;
        protocol::make_streams(&jetstream::new(client)).await.map_err(|why| login.no_jetstream(&why))
    })?
}

impl Hub for Connected {
    fn open(self: Box<Self>, offer: Offer) -> Result<Box<dyn Link>, HubError> {
        let ended = || HubError { what: "the connection to the hub ended".to_owned(), help: "try again" };
        let (opened, is_open) = channel();
        let Connected { offer: sender, thread } = *self;
        sender.send((offer, opened)).map_err(|_| ended())?;
        let opened = is_open.recv().map_err(|_| ended())??;
        Ok(Box::new(NatsLink { opened, thread: Some(thread) }))
    }
}

impl NatsLink {
    fn tell(&self, command: Command) {
        // Without the thread, orders are done on this machine after a while.
        let _ = self.opened.commands.send(command);
    }
}

impl Link for NatsLink {
    fn window(&self) -> usize {
        if lock(&self.opened.workers).broken.is_some_and(|since| since.elapsed() < BROKEN) {
            return 0;
        }
        self.workers().values().map(|jobs| *jobs as usize * ORDERS_EACH).sum()
    }

    fn send(&mut self, order: Order) {
        self.tell(Command::Send(order));
    }

    fn settled(&mut self, number: u64) {
        self.tell(Command::Settled(number));
    }

    fn receive(&mut self, wait: Duration) -> Option<Delivery> {
        match self.opened.deliveries.recv_timeout(wait) {
            Ok(delivery) => Some(delivery),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                std::thread::sleep(wait);
                None
            }
        }
    }

    fn covered(&mut self, edges: &[Edge]) {
        self.tell(Command::Covered(edges.to_vec()));
    }

    fn exclude(&mut self, worker: &str, why: &str) {
        lock(&self.opened.workers).workers.remove(worker);
        self.tell(Command::Exclude(worker.to_owned(), why.to_owned()));
    }

    fn receipts(&self) -> Receipts {
        let commands = self.opened.commands.clone();
        Arc::new(move |receipts| drop(commands.send(Command::Confirm(receipts.to_vec()))))
    }

    fn workers(&self) -> BTreeMap<Arc<str>, u32> {
        let now = Instant::now();
        let present = lock(&self.opened.workers);
        let live = present.workers.iter().filter(|(_, (_, seen))| now.duration_since(*seen) < SILENCE);
        live.map(|(name, (jobs, _))| (Arc::clone(name), *jobs)).collect()
    }
}

impl Drop for NatsLink {
    fn drop(&mut self) {
        self.tell(Command::Over);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An exploration on the hub.
struct Exploration {
    client: Client,
    context: Context,
    announcement: Announcement,
    delivered: Sender<Delivery>,
    workers: Workers,
    /// Unanswered orders, with the time at which they were sent.
    out: HashMap<u64, (Order, Instant)>,
    suspects: Suspects,
    excluded: BTreeSet<String>,
    /// Contents of the files on the server, by digest.
    files: BTreeMap<String, Vec<u8>>,
    /// True if the files were stored a second time.
    is_repaired: bool,
    covered: BTreeSet<u32>,
    has_news: bool,
    /// Replies whose results are not stored yet.
    unconfirmed: HashMap<u64, Stored>,
    n_receipts: u64,
}

impl Exploration {
    async fn open(
        client: Client,
        context: Context,
        offer: Offer,
        key: Option<KeyPair>,
        delivered: Sender<Delivery>,
        workers: Workers,
    ) -> Result<Exploration, String> {
        let manifest = serde_json::to_vec(&offer.manifest).map_err(|why| why.to_string())?;
        let name = digest(&manifest);
        let mut files = offer.files;
        files.insert(name.clone(), manifest);
        store(&context, &files, false).await?;
        let id = nuid();
        let signature = key.and_then(|key| sign(&key, &Announcement::signed(&id, &name)));
        let announcement = Announcement {
            protocol: protocol::VERSION,
            version: offer.manifest.version.clone(),
            id,
            target: offer.manifest.target.name.clone(),
            manifest: name,
            signature,
            out: 0,
            is_over: false,
        };
        let exploration = Exploration {
            client,
            context,
            announcement,
            delivered,
            workers,
            out: HashMap::new(),
            suspects: Suspects::default(),
            excluded: BTreeSet::new(),
            files,
            is_repaired: false,
            covered: BTreeSet::new(),
            has_news: false,
            unconfirmed: HashMap::new(),
            n_receipts: 0,
        };
        exploration.consumers().await?;
        Ok(exploration)
    }

    fn id(&self) -> &str {
        &self.announcement.id
    }

    /// Creates the consumers of orders and replies if they do not exist. Returns both.
    async fn consumers(&self) -> Result<[Consumer<pull::Config>; 2], String> {
        let config = |filter_subject: String, ack_wait| pull::Config {
            durable_name: Some(self.id().to_owned()),
            filter_subject,
            ack_policy: AckPolicy::Explicit,
            ack_wait,
            max_ack_pending: MAX_UNCONFIRMED,
            max_waiting: 1 << 14,
            inactive_threshold: INACTIVE,
            ..pull::Config::default()
        };
        protocol::make_streams(&self.context).await?;
        let orders = config(protocol::orders(self.id()), LEASE);
        let orders = self.context.create_consumer_on_stream(orders, protocol::ORDERS).await;
        let replies = config(protocol::replies(self.id()), SAVING);
        let replies = self.context.create_consumer_on_stream(replies, protocol::REPLIES).await;
        Ok([orders.map_err(|why| why.to_string())?, replies.map_err(|why| why.to_string())?])
    }

    async fn run(mut self, mut commands: UnboundedReceiver<Command>) {
        let subscribe = async |subject: String| self.client.subscribe(subject).await;
        let subscriptions = (
            subscribe(protocol::direct(self.id())).await,
            subscribe(protocol::PRESENCE.to_owned()).await,
            subscribe(protocol::suspect(self.id())).await,
            subscribe(protocol::WHO.to_owned()).await,
            subscribe(protocol::refusals(self.id())).await,
        );
        let (Ok(mut direct), Ok(mut presence), Ok(mut suspects), Ok(mut who), Ok(mut refusals)) = subscriptions else {
            return;
        };
        let (stored, mut replies) = unbounded_channel();
        let reader = tokio::spawn(read(self.context.clone(), self.id().to_owned(), stored));
        let mut announce = tokio::time::interval(protocol::ANNOUNCE);
        let mut look = tokio::time::interval(LOST);
        loop {
            tokio::select! {
                command = commands.recv() => match command {
                    Some(Command::Over) | None => break,
                    Some(command) => self.follow(command).await,
                },
                Some(message) = replies.recv() => self.take(message).await,
                Some(message) = direct.next() => self.deliver(&message.payload, None),
                Some(message) = presence.next() => self.see(&message.payload),
                Some(message) = suspects.next() => self.judge(&message).await,
                Some(message) = refusals.next() => self.refused(&message.payload).await,
                Some(_) = who.next() => self.announce().await,
                _ = announce.tick() => self.announce().await,
                _ = look.tick() => self.look_for_lost().await,
            }
        }
        reader.abort();
        let _ = tokio::time::timeout(FAREWELL, self.leave()).await;
    }

    /// Cleans up: only the program stays on the server.
    async fn leave(mut self) {
        self.announcement.is_over = true;
        self.announce().await;
        let _ = self.client.flush().await;
        for (stream, subject) in
            [(protocol::ORDERS, protocol::orders(self.id())), (protocol::REPLIES, protocol::replies(self.id()))]
        {
            if let Ok(stream) = self.context.get_stream_no_info(stream).await {
                let _ = stream.delete_consumer(self.id()).await;
                let _ = stream.purge().filter(subject).await;
            }
        }
    }

    async fn follow(&mut self, command: Command) {
        match command {
            Command::Send(order) => self.publish(order),
            Command::Settled(number) => {
                self.out.remove(&number);
                self.suspects.settle(number);
            }
            Command::Covered(edges) => {
                self.covered.extend(edges.iter().map(|edge| edge.0));
                self.has_news = true;
            }
            Command::Exclude(worker, why) => {
                self.news(&News::Excluded { worker: worker.clone(), why }).await;
                self.excluded.insert(worker);
            }
            Command::Confirm(receipts) => {
                for receipt in receipts {
                    if let Some(message) = self.unconfirmed.remove(&receipt) {
                        let _ = message.ack().await;
                    }
                }
            }
            Command::Over => {}
        }
    }

    /// Publishes an order in a separate task, so that many can be in transit.
    fn publish(&mut self, order: Order) {
        let (number, bytes) = (order.number, write_order(&order));
        let delivered = self.delivered.clone();
        if bytes.len() > MAX_MESSAGE {
            let _ = delivered.send(Delivery::Undeliverable(number));
            return;
        }
        self.out.insert(number, (order, Instant::now()));
        let (context, subject) = (self.context.clone(), protocol::orders(self.id()));
        let workers = Arc::clone(&self.workers);
        tokio::spawn(async move {
            for attempt in 0..ATTEMPTS {
                let published = context.publish(subject.clone(), bytes.clone().into()).await;
                if let Ok(confirmed) = published
                    && confirmed.await.is_ok()
                {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(100 << attempt)).await;
            }
            lock(&workers).broken = Some(Instant::now());
            let _ = delivered.send(Delivery::Undeliverable(number));
        });
    }

    async fn take(&mut self, message: Stored) {
        self.n_receipts += 1;
        let receipt = self.n_receipts;
        let payload = message.message.payload.clone();
        self.unconfirmed.insert(receipt, message);
        self.deliver(&payload, Some(receipt));
        let _ = tokio::task::yield_now().await;
    }

    fn deliver(&mut self, payload: &[u8], receipt: Option<u64>) {
        let receipt = receipt.unwrap_or(0);
        let ignore = |own: &mut Exploration| {
            if let Some(message) = own.unconfirmed.remove(&receipt) {
                tokio::spawn(async move { message.ack().await.is_ok() });
            }
        };
        let Ok(message) = read_message(payload) else {
            let _ =
                self.delivered.send(Delivery::Notice("a reply on the hub cannot be read; it is ignored".to_owned()));
            return ignore(self);
        };
        if self.excluded.contains(&message.worker) {
            return ignore(self);
        }
        let expected = &self.announcement.version;
        if message.version != *expected {
            let why = format!("it runs tine {}, not {expected}", message.version);
            self.shut_out(&message.worker, &why);
            return ignore(self);
        }
        let reply = Reply { number: message.number, worker: message.worker.into(), answers: message.answers, receipt };
        let _ = self.delivered.send(Delivery::Reply(reply));
    }

    /// Excludes a worker that the engine does not know.
    fn shut_out(&mut self, worker: &str, why: &str) {
        if self.excluded.insert(worker.to_owned()) {
            lock(&self.workers).workers.remove(worker);
            let _ = self.delivered.send(Delivery::Notice(format!("worker {worker} is excluded: {why}")));
        }
    }

    fn see(&mut self, payload: &[u8]) {
        let Ok(Head { protocol, version, worker }) = serde_json::from_slice(payload) else { return };
        let own = &self.announcement;
        if (protocol, &version) != (own.protocol, &own.version) {
            let why = if version == own.version {
                format!("it uses version {protocol} of the protocol, not {}", own.protocol)
            } else {
                format!("it runs tine {version}, not {}", own.version)
            };
            return self.shut_out(&worker, &why);
        }
        let Ok(presence) = serde_json::from_slice::<Presence>(payload) else { return };
        let mut present = lock(&self.workers);
        let is_ours = presence.exploration.as_deref() == Some(self.id());
        if is_ours && presence.jobs > 0 && !self.excluded.contains(&presence.worker) {
            present.workers.insert(presence.worker.into(), (presence.jobs.min(1024), Instant::now()));
        } else {
            present.workers.remove(&*presence.worker);
        }
    }

    /// Answers a worker that got an order which another worker did not finish.
    async fn judge(&mut self, message: &async_nats::Message) {
        let Ok(Suspect { number, worker, is_returned }) = serde_json::from_slice(&message.payload) else { return };
        let mut may_do = false;
        if self.out.contains_key(&number) && !self.excluded.contains(&worker) {
            if is_returned {
                return self.suspects.give_back(number);
            }
            let present = lock(&self.workers);
            let is_alive = |holder: &str| present.workers.get(holder).is_some_and(|(_, seen)| seen.elapsed() < DEAD);
            let n_ended = self.suspects.ask(number, &worker, is_alive);
            may_do = n_ended < MAX_ENDED;
            if !may_do {
                let _ = self.delivered.send(Delivery::Deadly(number, n_ended));
            }
        }
        if let Some(reply) = &message.reply {
            let _ = self.client.publish(reply.clone(), may_do.to_string().into()).await;
        }
    }

    /// Names a worker that does not serve this exploration. A program that was changed on the server is stored again, once.
    async fn refused(&mut self, payload: &[u8]) {
        let Ok(Refusal { worker, why, is_corrupt }) = serde_json::from_slice(payload) else { return };
        let _ = self.delivered.send(Delivery::Notice(format!("worker {worker} does not take part: {why}")));
        if is_corrupt && !std::mem::replace(&mut self.is_repaired, true) {
            let _ = store(&self.context, &self.files, true).await;
        }
    }

    async fn announce(&mut self) {
        self.announcement.out = self.out.len();
        let bytes = serde_json::to_vec(&self.announcement).expect("it is JSON");
        let _ = self.client.publish(protocol::EXPLORATIONS, bytes.into()).await;
        if std::mem::take(&mut self.has_news) {
            let covered = News::Covered(self.covered.iter().copied().collect());
            self.news(&covered).await;
        }
    }

    async fn news(&self, news: &News) {
        let bytes = serde_json::to_vec(news).expect("it is JSON");
        let _ = self.client.publish(protocol::news(self.id()), bytes.into()).await;
    }

    /// Sends orders again that are neither queued on the server nor held by a worker: the server lost them, or a worker
    /// reported something false.
    async fn look_for_lost(&mut self) {
        let late = |(_, sent): &(Order, Instant)| sent.elapsed() > LOST;
        if !self.out.values().any(late) {
            return;
        }
        let Ok([orders, replies]) = self.consumers().await else { return };
        let (orders, replies) = (orders.cached_info(), replies.cached_info());
        let is_under_way = orders.num_pending > 0 || orders.num_ack_pending > 0 || replies.num_pending > 0;
        if !is_under_way {
            let lost: Vec<Order> = self.out.values().filter(|out| late(out)).map(|(order, _)| order.clone()).collect();
            for order in lost {
                self.publish(order);
            }
        }
        self.has_news = !self.covered.is_empty();
    }
}

/// Stores files on the server, by their digests. `again` replaces those that exist.
async fn store(context: &Context, files: &BTreeMap<String, Vec<u8>>, again: bool) -> Result<(), String> {
    let store = protocol::objects(context).await?;
    for (name, bytes) in files {
        if again || store.info(name).await.is_err() {
            store.put(name.as_str(), &mut &bytes[..]).await.map_err(|why| why.to_string())?;
        }
    }
    Ok(())
}

/// Reads replies until it is stopped, and continues after the server was unavailable.
async fn read(context: Context, id: String, stored: UnboundedSender<Stored>) {
    loop {
        let consumer = context.get_consumer_from_stream::<pull::Config, _, _>(&*id, protocol::REPLIES).await;
        if let Ok(consumer) = consumer
            && let Ok(mut messages) =
                consumer.stream().heartbeat(Duration::from_secs(2)).expires(Duration::from_secs(5)).messages().await
        {
            while let Some(Ok(message)) = messages.next().await {
                if stored.send(message).is_err() {
                    return;
                }
            }
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// A unique name for an exploration.
fn nuid() -> String {
    let random = KeyPair::new_user().public_key();
    random[1..25].to_owned()
}
