//! The worker's side: serves explorations of a hub, one at a time.
//!
//! ```text
//!   two loops for each job ──▶ pull an order ──▶ executor thread ──▶ reply ──▶ confirm the order
//! ```
//! One of the two orders is carried out while the other is fetched. Signs keep a held order alive on the server.
//! Without them it is given to another worker, which carries it out alone (`suspects`).

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::connection::State;
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{self, AckKind, Context, Message as Stored};
use async_nats::{Client, Subscriber};
use futures_util::StreamExt as _;
use tine_engine::remote::{Answer, Bounds, HubError, Manifest, Order, Server, Serving, Task};
use tine_engine::temporary::Temporary;
use tine_engine::verified::digest;
use tine_explore::map::Edge;
use tokio::io::AsyncReadExt as _;
use tokio::sync::{RwLock, oneshot};
use tokio::task::JoinSet;

use crate::login::{Login, block_on};
use crate::protocol::{self, Announcement, Head, MAX_MESSAGE, News, Presence, Refusal, SIGN, SILENCE, Suspect};
use crate::signature::AllowedKeys;
use crate::wire::{Message, read_order, write_message};

/// Time to wait for an order before the next request.
const PULL: Duration = Duration::from_secs(5);
/// Maximum size of a program in bytes.
const MAX_OBJECT: usize = 1 << 30;
/// Maximum size of a shared answer of the solver in bytes.
const MAX_ANSWER: usize = 64 << 10;
/// Interval at which the flag that ends a worker is checked.
const LOOK: Duration = Duration::from_millis(100);
/// Attempts to fetch a program that is damaged on the server. The selector stores it again.
const FETCHES: u32 = 3;
/// Attempts to put a reply into the stream. After that it is sent without the stream.
const ATTEMPTS: u32 = 3;

/// Settings of a worker.
#[derive(Clone, Debug)]
pub struct Settings {
    pub login: Login,
    /// Name of the machine and of this process.
    pub name: String,
    pub bounds: Bounds,
    /// Keys of which one must have signed the exploration.
    pub allowed: Option<AllowedKeys>,
    /// Changes answers, for tests of selectors.
    #[doc(hidden)]
    pub falsify: Option<fn(&mut Draft)>,
}

/// The parts of a reply that tests falsify.
#[doc(hidden)]
#[derive(Debug)]
pub struct Draft {
    pub version: String,
    pub answers: Result<Vec<Answer>, String>,
    pub copies: usize,
    pub delay: Duration,
}

/// State of a worker.
#[derive(Debug)]
pub enum Event<'a> {
    /// Name of the worker, and address of the hub.
    Connected(&'a str, &'a str),
    Joined(&'a str),
    Left(&'a str, u64),
    Refused(&'a str, &'a str),
}

impl fmt::Display for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Connected(name, place) => write!(f, "{name} works for the hub at {place}"),
            Event::Joined(target) => write!(f, "serving `{target}`"),
            Event::Left(target, n_orders) => write!(f, "`{target}` is over, after {n_orders} orders"),
            Event::Refused(target, why) => write!(f, "`{target}` is not served: {why}"),
        }
    }
}

/// Serves explorations until `stop` is set.
pub fn work(settings: Settings, stop: &'static AtomicBool, report: &mut dyn FnMut(Event<'_>)) -> Result<(), HubError> {
    block_on(async {
        let client = settings.login.connect(&settings.name).await?;
        let lost = |_| HubError { what: "the connection to the hub ended".to_owned(), help: "start the worker again" };
        let announcements = client.subscribe(protocol::EXPLORATIONS).await.map_err(lost)?;
        report(Event::Connected(&settings.name, &settings.login.place()));
        let context = jetstream::new(client.clone());
        let worker = Worker { settings, client, context, stop };
        worker.run(announcements, report).await;
        Ok(())
    })?
}

struct Worker {
    settings: Settings,
    client: Client,
    context: Context,
    stop: &'static AtomicBool,
}

/// Reasons why a worker does not serve an exploration.
enum Refused {
    /// The program on the hub is missing or differs from its digest.
    Corrupt(String),
    Other(String),
}

impl From<String> for Refused {
    fn from(why: String) -> Refused {
        Refused::Other(why)
    }
}

impl Worker {
    async fn run(&self, mut announcements: Subscriber, report: &mut dyn FnMut(Event<'_>)) {
        // Number of refusals of an exploration; `FETCHES` if it is final.
        let mut refused: BTreeMap<String, u32> = BTreeMap::new();
        let _ = self.client.publish(protocol::WHO, "".into()).await;
        let Ok(mut asked) = self.client.subscribe(protocol::WHO).await else { return };
        let mut look = tokio::time::interval(LOOK);
        let mut sign = tokio::time::interval(SIGN);
        while !self.stop.load(Ordering::Relaxed) {
            let announced = tokio::select! {
                Some(message) = announcements.next() => read_announcement(&message.payload),
                _ = look.tick() => None,
                _ = sign.tick() => {
                    self.say_presence(None, 0, 0.0, self.n_jobs()).await;
                    None
                }
                Some(_) = asked.next() => {
                    self.say_presence(None, 0, 0.0, self.n_jobs()).await;
                    None
                }
            };
            let (id, target, announced) = match announced {
                Some(Ok(new)) if !new.is_over => (new.id.clone(), new.target.clone(), Ok(new)),
                Some(Err(Other { id, target, why })) => (id, target, Err(Refused::Other(why))),
                _ => continue,
            };
            if refused.get(&id).is_some_and(|times| *times >= FETCHES) {
                continue;
            }
            let joined = match announced {
                Ok(announced) => self.join(&announced).await.map(|joined| (joined, announced)),
                Err(why) => Err(why),
            };
            let (joined, announced) = match joined {
                Ok(joined) => joined,
                Err(why) => {
                    let (why, is_corrupt) = match why {
                        Refused::Corrupt(why) => (why, true),
                        Refused::Other(why) => (why, false),
                    };
                    let times = refused.entry(id.clone()).or_default();
                    *times = if is_corrupt { *times + 1 } else { FETCHES };
                    report(Event::Refused(&target, &why));
                    let refusal = Refusal { worker: self.settings.name.clone(), why, is_corrupt };
                    let bytes = serde_json::to_vec(&refusal).expect("it is JSON");
                    let _ = self.client.publish(protocol::refusals(&id), bytes.into()).await;
                    continue;
                }
            };
            report(Event::Joined(&announced.target));
            let n_orders = Arc::clone(&joined.n_orders);
            if let Some(why) = self.serve(joined, &announced, &mut announcements, &mut asked).await {
                report(Event::Refused(&announced.target, &why));
                refused.insert(id, FETCHES);
            } else {
                report(Event::Left(&announced.target, n_orders.load(Ordering::Relaxed)));
            }
            let _ = self.client.publish(protocol::WHO, "".into()).await;
        }
        self.say_presence(None, 0, 0.0, 0).await;
        let _ = self.client.flush().await;
    }

    fn n_jobs(&self) -> u32 {
        self.settings.bounds.jobs.get() as u32
    }

    /// Fetches an exploration's program and starts it.
    async fn join(&self, announced: &Announcement) -> Result<Joined, Refused> {
        let Announcement { id, manifest: name, signature, .. } = announced;
        if let Some(allowed) = &self.settings.allowed
            && !signature.as_ref().is_some_and(|by| allowed.verify(&Announcement::signed(id, name), by))
        {
            return Err("it is not signed with an allowed key".to_owned().into());
        }
        let bytes = self.object(name).await?;
        let manifest: Manifest = serde_json::from_slice(&bytes).map_err(|why| why.to_string())?;
        let folder = Temporary::new("work").map_err(|why| why.to_string())?;
        for (file, digest) in &manifest.files {
            let is_plain = Path::new(file).components().count() == 1 && !file.starts_with('.');
            if !is_plain {
                return Err(format!("it has a file `{file}`").into());
            }
            let bytes = self.object(digest).await?;
            write_program(&folder.path().join(file), &bytes).map_err(|why| format!("cannot write `{file}`: {why}"))?;
        }
        let (bounds, path) = (self.settings.bounds, folder.path().to_path_buf());
        let started = tokio::task::spawn_blocking(move || Serving::start(manifest, &path, bounds)).await;
        let serving = started.map_err(|why| why.to_string())?.map_err(|why| why.to_string())?;
        Ok(Joined { serving: Arc::new(serving), n_orders: Arc::default(), _folder: folder })
    }

    /// Fetches an object and checks it against its name, which is a digest.
    async fn object(&self, name: &str) -> Result<Vec<u8>, Refused> {
        let missing = |why: String| Refused::Corrupt(format!("its program cannot be fetched: {why}"));
        let store = protocol::objects(&self.context).await?;
        let mut object = store.get(name).await.map_err(|why| missing(why.to_string()))?;
        if object.info().size > MAX_OBJECT {
            return Err("its program is too large".to_owned().into());
        }
        let mut bytes = Vec::new();
        object.read_to_end(&mut bytes).await.map_err(|why| missing(why.to_string()))?;
        if digest(&bytes) == name {
            Ok(bytes)
        } else {
            Err(Refused::Corrupt("its program was changed on the hub".to_owned()))
        }
    }

    async fn say_presence(&self, exploration: Option<&str>, orders: u64, rate: f64, jobs: u32) {
        let presence = Presence {
            protocol: protocol::VERSION,
            worker: self.settings.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            jobs,
            exploration: exploration.map(str::to_owned),
            orders,
            rate,
        };
        let bytes = serde_json::to_vec(&presence).expect("it is JSON");
        let _ = self.client.publish(protocol::PRESENCE, bytes.into()).await;
    }

    /// Sends answers of the solver to the other workers.
    async fn share(&self, id: &str, lines: Vec<String>) {
        let mut text = String::new();
        for line in lines.iter().filter(|line| line.len() < MAX_ANSWER) {
            text += line;
            text.push('\n');
            if text.len() > MAX_MESSAGE - MAX_ANSWER {
                let text = std::mem::take(&mut text);
                let _ = self.client.publish(protocol::answers(id), text.into()).await;
            }
        }
        if !text.is_empty() {
            let _ = self.client.publish(protocol::answers(id), text.into()).await;
        }
    }

    /// Carries out orders until the exploration is over or this worker ends. Returns the reason if it was excluded.
    async fn serve(
        &self,
        joined: Joined,
        announced: &Announcement,
        announcements: &mut Subscriber,
        asked: &mut Subscriber,
    ) -> Option<String> {
        let id = &announced.id;
        let n_jobs = self.n_jobs();
        let (tasks, to_do) = channel();
        let to_do = Arc::new(Mutex::new(to_do));
        let covered = Arc::new(Mutex::new((0, Vec::new())));
        for _ in 0..n_jobs {
            let (serving, to_do, covered) = (Arc::clone(&joined.serving), Arc::clone(&to_do), Arc::clone(&covered));
            let thread = std::thread::Builder::new().stack_size(tine_engine::scheduler::STACK);
            if let Err(why) = thread.spawn(move || carry_out(&serving, &to_do, &covered)) {
                return Some(format!("cannot start a thread: {why}"));
            }
        }
        let mut news = self.client.subscribe(protocol::news(id)).await.ok()?;
        let mut answers = self.client.subscribe(protocol::answers(id)).await.ok()?;
        self.say_presence(Some(id), 0, 0.0, n_jobs).await;
        let shared = Arc::new(Shared {
            client: self.client.clone(),
            context: self.context.clone(),
            id: id.clone(),
            name: self.settings.name.clone(),
            tasks: Mutex::new(tasks),
            serving: Arc::clone(&joined.serving),
            n_orders: Arc::clone(&joined.n_orders),
            turns: RwLock::default(),
            falsify: self.settings.falsify,
        });
        let mut loops = JoinSet::new();
        for _ in 0..2 * n_jobs {
            loops.spawn(pull(Arc::clone(&shared)));
        }
        let mut look = tokio::time::interval(LOOK);
        let mut sign = tokio::time::interval(SIGN);
        let (mut seen, mut before, mut rate) = (Instant::now(), 0, 0.0);
        let excluded = loop {
            tokio::select! {
                Some(message) = announcements.next() => {
                    let Some(Ok(other)) = read_announcement(&message.payload) else { continue };
                    if other.id == *id {
                        seen = Instant::now();
                        if other.is_over {
                            break None;
                        }
                    }
                }
                Some(message) = news.next() => match serde_json::from_slice(&message.payload) {
                    Ok(News::Covered(edges)) => {
                        let mut covered = lock(&covered);
                        *covered = (covered.0 + 1, edges.into_iter().map(Edge).collect());
                    }
                    Ok(News::Excluded { worker, why }) if worker == self.settings.name => break Some(why),
                    _ => {}
                },
                Some(message) = answers.next() => {
                    let text = String::from_utf8_lossy(&message.payload);
                    joined.serving.answers().add_lines(text.lines());
                }
                _ = look.tick() => {
                    self.share(id, joined.serving.answers().take_new()).await;
                    if self.client.connection_state() != State::Connected {
                        seen = Instant::now();
                    }
                    if self.stop.load(Ordering::Relaxed) || seen.elapsed() > SILENCE || joined.serving.is_stopped() {
                        break None;
                    }
                }
                _ = sign.tick() => {
                    let orders = joined.n_orders.load(Ordering::Relaxed);
                    rate = (orders - before) as f64 / SIGN.as_secs_f64();
                    before = orders;
                    self.say_presence(Some(id), orders, rate, n_jobs).await;
                }
                Some(_) = asked.next() => {
                    self.say_presence(Some(id), joined.n_orders.load(Ordering::Relaxed), rate, n_jobs).await;
                }
            }
        };
        joined.serving.stop();
        // Orders that are held go to other workers at once.
        let _ =
            tokio::time::timeout(Duration::from_secs(1), async { while loops.join_next().await.is_some() {} }).await;
        excluded
    }
}

/// An exploration of another version.
struct Other {
    id: String,
    target: String,
    why: String,
}

/// Reads an announcement. Fails if it is of another version.
fn read_announcement(bytes: &[u8]) -> Option<Result<Announcement, Other>> {
    let head: Head = serde_json::from_slice(bytes).ok()?;
    let version = env!("CARGO_PKG_VERSION");
    if head.version == version && head.protocol == protocol::VERSION {
        return serde_json::from_slice(bytes).ok().map(Ok);
    }
    let why = if head.version == version {
        format!("it uses version {} of the protocol, not {}", head.protocol, protocol::VERSION)
    } else {
        format!("it is of tine {}, and this is tine {version}", head.version)
    };
    let all: serde_json::Value = serde_json::from_slice(bytes).ok()?;
    let text = |key: &str| all[key].as_str().unwrap_or_default().to_owned();
    Some(Err(Other { id: text("id"), target: text("target"), why }))
}

/// An exploration whose program runs here.
struct Joined {
    serving: Arc<Serving>,
    n_orders: Arc<AtomicU64>,
    _folder: Temporary,
}

fn write_program(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut file = std::fs::File::options().write(true).create_new(true).mode(0o700).open(path)?;
    std::io::Write::write_all(&mut file, bytes)
}

/// Data shared by the loops of an exploration.
struct Shared {
    client: Client,
    context: Context,
    id: String,
    name: String,
    tasks: Mutex<Sender<Work>>,
    serving: Arc<Serving>,
    n_orders: Arc<AtomicU64>,
    /// Held for reading by orders, and for writing by an order during which another worker ended.
    turns: RwLock<()>,
    falsify: Option<fn(&mut Draft)>,
}

/// An order for an executor.
struct Work {
    task: Task,
    lease: u32,
    done: oneshot::Sender<Result<Vec<Answer>, String>>,
}

/// The end of an order.
enum Done {
    Answered(Result<Vec<Answer>, String>),
    /// The selector needs no answer.
    Dropped,
    /// The worker ends before it has the answer.
    Returned,
}

/// The thread of an executor.
fn carry_out(serving: &Serving, to_do: &Mutex<Receiver<Work>>, covered: &Mutex<(u64, Vec<Edge>)>) {
    let mut server: Option<Server> = None;
    let mut n_known = 0;
    loop {
        let work = lock(to_do).recv();
        let Ok(Work { task, lease, done }) = work else { return };
        let mut executor = match server.take().map_or_else(|| serving.server(), Ok) {
            Ok(executor) => executor,
            Err(why) => {
                let _ = done.send(Err(why.to_string()));
                continue;
            }
        };
        let news = Some(lock(covered)).filter(|covered| covered.0 != n_known).map(|covered| covered.clone());
        if let Some((number, edges)) = news {
            n_known = number;
            executor.know_covered(&edges);
        }
        let answers = executor.carry_out(&task, lease);
        if serving.is_stopped() {
            // An interrupted job has no answer.
            continue;
        }
        match answers {
            Ok(answers) => {
                let _ = done.send(Ok(answers));
                server = Some(executor);
            }
            Err(why) => {
                n_known = 0;
                let _ = done.send(Err(why.to_string()));
            }
        }
    }
}

/// Pulls and answers one order after another.
async fn pull(shared: Arc<Shared>) {
    while !shared.serving.is_stopped() {
        let consumer: Result<Consumer<pull::Config>, _> =
            shared.context.get_consumer_from_stream(&*shared.id, protocol::ORDERS).await;
        let Ok(consumer) = consumer else {
            tokio::time::sleep(Duration::from_millis(300)).await;
            continue;
        };
        while !shared.serving.is_stopped() {
            let Ok(mut batch) = consumer.batch().max_messages(1).expires(PULL).messages().await else { break };
            let mut is_broken = false;
            while !shared.serving.is_stopped() {
                match tokio::time::timeout(LOOK, batch.next()).await {
                    Ok(Some(Ok(message))) => shared.handle(message).await,
                    Ok(Some(Err(_))) => is_broken = true,
                    Ok(None) => break,
                    Err(_) => {}
                }
            }
            if is_broken {
                tokio::time::sleep(Duration::from_millis(200)).await;
                break;
            }
        }
    }
}

impl Shared {
    async fn handle(&self, message: Stored) {
        let Ok(order) = read_order(&message.message.payload) else {
            let _ = message.ack_with(AckKind::Term).await;
            return;
        };
        let number = order.number;
        let is_suspect = message.info().is_ok_and(|info| info.delivered > 1);
        let work = self.carry_out(order, is_suspect);
        tokio::pin!(work);
        let mut sign = tokio::time::interval(SIGN);
        let mut look = tokio::time::interval(LOOK);
        let done = loop {
            tokio::select! {
                done = &mut work => break done,
                _ = look.tick() => if self.serving.is_stopped() {
                    break Done::Returned;
                },
                _ = sign.tick() => {
                    let _ = message.ack_with(AckKind::Progress).await;
                }
            }
        };
        match done {
            Done::Answered(answers) => {
                self.reply(number, answers).await;
                self.n_orders.fetch_add(1, Ordering::Relaxed);
                let _ = message.ack().await;
            }
            Done::Dropped => drop(message.ack().await),
            Done::Returned => {
                self.ask(number, true).await;
                let _ = message.ack_with(AckKind::Nak(None)).await;
            }
        }
    }

    async fn carry_out(&self, order: Order, is_suspect: bool) -> Done {
        let (mut _among_others, mut _alone) = (None, None);
        if is_suspect {
            _alone = Some(self.turns.write().await);
            if !self.ask(order.number, false).await {
                return Done::Dropped;
            }
        } else {
            _among_others = Some(self.turns.read().await);
        }
        let (done, result) = oneshot::channel();
        if lock(&self.tasks).send(Work { task: order.task, lease: order.lease, done }).is_err() {
            return Done::Returned;
        }
        result.await.map_or(Done::Returned, Done::Answered)
    }

    /// Asks the selector whether to carry out an order that another worker did not finish, or gives one back.
    async fn ask(&self, number: u64, is_returned: bool) -> bool {
        let question = Suspect { number, worker: self.name.clone(), is_returned };
        let (subject, question) = (protocol::suspect(&self.id), serde_json::to_vec(&question).expect("it is JSON"));
        if is_returned {
            return self.client.publish(subject, question.into()).await.is_ok();
        }
        let answer = self.client.request(subject, question.into()).await;
        // A selector that is unreachable for a moment can still use the answer.
        answer.map_or(true, |answer| answer.payload.as_ref() != b"false")
    }

    async fn reply(&self, number: u64, answers: Result<Vec<Answer>, String>) {
        let mut reply =
            Draft { version: env!("CARGO_PKG_VERSION").to_owned(), answers, copies: 1, delay: Duration::ZERO };
        if let Some(falsify) = self.falsify {
            falsify(&mut reply);
        }
        let Draft { version, answers, copies, delay } = reply;
        tokio::time::sleep(delay).await;
        let mut message = Message { number, worker: self.name.clone(), version, answers };
        let mut bytes = write_message(&message);
        if bytes.len() > MAX_MESSAGE {
            if let Ok(answers) = &mut message.answers {
                answers.truncate(1);
            }
            bytes = write_message(&message);
        }
        if bytes.len() > MAX_MESSAGE {
            message.answers = Err("its answer is too large for the hub".to_owned());
            bytes = write_message(&message);
        }
        for _ in 0..copies {
            self.publish(&bytes).await;
        }
    }

    async fn publish(&self, bytes: &[u8]) {
        for attempt in 0..ATTEMPTS {
            let published = self.context.publish(protocol::replies(&self.id), bytes.to_vec().into()).await;
            if let Ok(confirmed) = published
                && confirmed.await.is_ok()
            {
                return;
            }
            tokio::time::sleep(Duration::from_millis(200 << attempt)).await;
        }
        let _ = self.client.publish(protocol::direct(&self.id), bytes.to_vec().into()).await;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
