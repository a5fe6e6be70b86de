//! Workers that answer wrongly, late, twice, or not at all, and explorations that workers refuse.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use tine_engine::config::values::{Count, Size};
use tine_engine::remote::Bounds;
use tine_explore::JobResult;
use tine_remote::worker::{Draft, Settings, work};
use tine_remote::{AllowedKeys, Login};
use tine_trace::outcome::OutcomeKind;

use super::{BITS, Exploring, PROGRAM, Process, SLOW, Server, TEST, alone, result, runs_of_machines};
use crate::support::Bench;

/// A worker in this process, which falsifies its replies.
struct Inside {
    stop: &'static AtomicBool,
    thread: Option<JoinHandle<()>>,
}

impl Inside {
    fn start(server: &Server, name: &str, falsify: fn(&mut Draft)) -> Inside {
        let stop: &'static AtomicBool = Box::leak(Box::default());
        let settings = settings(&server.url(), name, falsify);
        let thread = std::thread::spawn(move || work(settings, stop, &mut |_| {}).expect("it works"));
        Inside { stop, thread: Some(thread) }
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn settings(url: &str, name: &str, falsify: fn(&mut Draft)) -> Settings {
    Settings {
        login: Login { url: url.to_owned(), ..Login::default() },
        name: name.to_owned(),
        bounds: Bounds { jobs: Count(1), memory: Size(1 << 30), allow: false },
        allowed: None,
        falsify: Some(falsify),
    }
}

/// Each kind of false reply: the message to the user, and the result of the other machines.
#[test]
fn workers_that_lie_are_excluded_by_name() {
    let bench = Bench::new(&[("unit.c", BITS)]);
    let Some(server) = Server::start(&bench, &[]) else { return };
    let expected = alone(&bench, TEST);
    let path: fn(&mut Draft) = |draft| {
        for answer in draft.answers.iter_mut().flatten() {
            if let JobResult::Ran(run) = &mut answer.result
                && let Some(decision) = run.decisions.last_mut()
            {
                decision.before ^= 1;
            }
        }
    };
    let end: fn(&mut Draft) = |draft| {
        for answer in draft.answers.iter_mut().flatten() {
            if let JobResult::Ran(run) = &mut answer.result {
                run.end.kind = OutcomeKind::StackOverflow;
            }
        }
    };
    let version: fn(&mut Draft) = |draft| draft.version = "0.0.0".to_owned();
    for (name, falsify, why) in
        [("paths/1", path, "a path"), ("ends/2", end, "went another way"), ("old/3", version, "it runs tine 0.0.0")]
    {
        let _liar = Inside::start(&server, name, falsify);
        let out = name.replace('/', "-");
        let ran = bench.tine(&format!("{TEST} --hub {} --out {out}", server.url()).replace("--quiet", ""));
        assert_eq!(result(&ran.json()), expected, "{name}: {ran}");
        let message = format!("worker {name} is excluded");
        assert!(ran.stderr.contains(&message) && ran.stderr.contains(why), "`{message}`, `{why}`: {ran}");
    }
}

/// A side that is wrongly called infeasible makes the result incomplete, and names the worker.
#[test]
fn false_proofs_are_found_by_samples() {
    let bench = Bench::new(&[("unit.c", BITS)]);
    let Some(server) = Server::start(&bench, &[]) else { return };
    let _liar = Inside::start(&server, "liar/1", |draft| {
        if let Ok(answers) = &mut draft.answers {
            answers.truncate(1);
            answers[0].result = JobResult::Unsat;
            (answers[0].input, answers[0].evidence) = (None, None);
        }
    });
    let ran = bench.tine(&format!("{TEST} --hub {} --out liar", server.url()).replace("--quiet", ""));
    assert_eq!(ran.json()["verdict"], "incomplete", "{ran}");
    assert!(ran.stdout.contains("worker liar/1 reported sides as infeasible"), "{ran}");
    assert!(ran.stderr.contains("worker liar/1 is excluded"), "{ran}");
}

#[test]
fn late_and_duplicated_replies_count_once() {
    let bench = Bench::new(&[("unit.c", SLOW)]);
    let Some(server) = Server::start(&bench, &[]) else { return };
    let expected = alone(&bench, TEST);
    let _twice = Inside::start(&server, "twice/1", |draft| draft.copies = 2);
    // Later than the lease, so that the order is given to the other worker.
    let _late = Inside::start(&server, "late/2", |draft| {
        draft.delay =
            Duration::from_millis(if draft.answers.as_ref().is_ok_and(|all| all.len() % 3 == 0) { 4000 } else { 0 });
    });
    let ran = bench.tine(&format!("{TEST} --hub {} --out late", server.url()));
    assert_eq!(result(&ran.json()), expected, "{ran}");
}

/// The variable with the server's address, for the process of a worker that dies.
const DEADLY: &str = "TINE_TEST_DEADLY_HUB";

/// Not a test by itself: the worker of the next test, in a process of its own.
#[test]
fn worker_that_dies() {
    let Some(url) = std::env::var_os(DEADLY) else { return };
    let stop: &'static AtomicBool = Box::leak(Box::default());
    let name = format!("mortal/{}", std::process::id());
    let falsify: fn(&mut Draft) = |draft| {
        let has_error = |answer: &tine_engine::remote::Answer| {
            answer.result.run().is_some_and(|run| matches!(run.end.kind, OutcomeKind::Signal | OutcomeKind::Failed))
        };
        if draft.answers.as_ref().is_ok_and(|answers| answers.iter().any(has_error)) {
            std::process::abort();
        }
    };
    let _ = work(settings(&url.to_string_lossy(), &name, falsify), stop, &mut |_| {});
}

#[test]
fn an_order_that_ends_three_workers_is_an_outcome() {
    let bench = Bench::new(&[("unit.c", BITS)]);
    let Some(server) = Server::start(&bench, &[]) else { return };
    let mortal = || {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        Process::start(command.args(["hub::trust::worker_that_dies", "--exact"]).env(DEADLY, server.url()))
    };
    let _workers = [mortal(), mortal(), mortal(), mortal()];
    let ran = bench.tine(&format!("{TEST} --hub {} --out deadly", server.url()));
    assert_eq!(ran.json()["verdict"], "incomplete", "{ran}");
    assert!(ran.stdout.contains("3 workers ended while they did this"), "{ran}");
    assert!(runs_of_machines(&ran.json()) > 0, "{ran}");
}

#[test]
fn a_changed_program_is_refused_and_stored_again() {
    let bench = Bench::new(&[("program.c", PROGRAM)]);
    let Some(server) = Server::start(&bench, &[]) else { return };
    bench.compile("program.c", "program");
    let command = "run ./program --sym-stdin 4 --json --max-time none";
    let expected = alone(&bench, &format!("{command} --quiet"));
    let first = bench.tine(&format!("{command} --max-runs 1 --hub {} --out first", server.url()));
    assert!(first.code.is_some(), "{first}");
    spoil(&server.url());
    let _worker = server.worker(&bench, "--jobs 1");
    let ran = bench.tine(&format!("{command} --max-runs 1000000 --hub {} --out second", server.url()));
    assert_eq!(result(&ran.json()), expected, "{ran}");
    let whole = bench.tine(&format!("{command} --max-runs 1 --hub {} --out third", server.url()));
    assert!(!whole.stderr.contains("changed on the hub"), "it was stored again: {whole}");
}

/// Replaces the contents of all programs.
fn spoil(url: &str) {
    use futures_util::StreamExt as _;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let context = async_nats::jetstream::new(async_nats::connect(url).await.expect("a server"));
        let store = context.get_object_store("TINE_1").await.expect("the programs");
        let mut list = store.list().await.expect("a list");
        let mut names = Vec::new();
        while let Some(Ok(object)) = list.next().await {
            names.push(object.name);
        }
        assert!(!names.is_empty());
        for name in names {
            store.put(name.as_str(), &mut &b"something else"[..]).await.expect("it is stored");
        }
    });
}

#[test]
fn only_signed_explorations_are_served() {
    let bench = Bench::new(&[("unit.c", SLOW)]);
    let Some(server) = Server::start(&bench, &[]) else { return };
    let expected = alone(&bench, TEST);
    let (key, other) = (nkeys::KeyPair::new_user(), nkeys::KeyPair::new_user());
    bench.write("key", &key.seed().expect("a seed"));
    bench.write("other", &other.seed().expect("a seed"));
    bench.write("allowed", &key.public_key());
    assert!(AllowedKeys::read(&bench.path("allowed")).is_ok());
    let _worker = server.worker(&bench, "--jobs 1 --allow-key allowed");
    let noisy = TEST.replace("--quiet", "");
    for (flags, is_served) in [("", false), ("--hub-sign other", false), ("--hub-sign key", true)] {
        let out = format!("signed{}", flags.len());
        let ran = Exploring::start(&bench, &format!("{noisy} {flags} --hub {} --out {out}", server.url())).wait();
        assert_eq!(result(&ran.json()), expected, "{flags}: {ran}");
        assert_eq!(runs_of_machines(&ran.json()) > 0, is_served, "{flags}: {ran}");
        assert_eq!(ran.stderr.contains("not signed with an allowed key"), !is_served, "{flags}: {ran}");
    }
    let ran = bench.tine(&format!("work {} --allow-key unit.c", server.url()));
    assert!(ran.code == Some(2) && ran.stderr.contains("is not a public NKey"), "{ran}");
}
