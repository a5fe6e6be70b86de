//! Machines and the server fail.

use std::time::Duration;

use tine_session::Session;

use super::{BITS, Exploring, SLOW, Server, TEST, alone, result};
use crate::support::{Bench, wait_for};

#[test]
fn workers_that_die_lose_nothing() {
    let bench = Bench::new(&[("unit.c", SLOW)]);
    let Some(server) = Server::start(&bench, &[]) else { return };
    let expected = alone(&bench, TEST);
    let (rounds, kills) = if std::env::var_os("TINE_LONG").is_some() { (10, 3) } else { (1, 3) };
    for round in 0..rounds {
        let _stays = server.worker(&bench, "--jobs 1");
        let selector = Exploring::start(&bench, &format!("{TEST} --hub {} --out dying{round}", server.url()));
        for kill in 0..kills {
            let worker = server.worker(&bench, "--jobs 2");
            std::thread::sleep(Duration::from_millis(250 + 170 * kill + 40 * round));
            drop(worker);
        }
        let ran = selector.wait();
        assert_eq!(result(&ran.json()), expected, "round {round}: {ran}");
    }
}

#[test]
fn a_server_that_restarts_loses_nothing() {
    let bench = Bench::new(&[("unit.c", SLOW)]);
    let Some(mut server) = Server::start(&bench, &[]) else { return };
    let expected = alone(&bench, TEST);
    let _worker = server.worker(&bench, "--jobs 1");
    let selector = Exploring::start(&bench, &format!("{TEST} --hub {} --out restarted", server.url()));
    wait_for("the session", || Session::open(&bench.path("restarted")).is_ok());
    std::thread::sleep(Duration::from_millis(150));
    server.process = None;
    std::thread::sleep(Duration::from_millis(300));
    server.run();
    let ran = selector.wait();
    assert_eq!(result(&ran.json()), expected, "{ran}");
}

#[test]
fn a_server_that_does_not_come_back_is_not_needed() {
    let bench = Bench::new(&[("unit.c", BITS)]);
    let Some(mut server) = Server::start(&bench, &[]) else { return };
    let expected = alone(&bench, TEST);
    let _worker = server.worker(&bench, "--jobs 1");
    let selector = Exploring::start(&bench, &format!("{TEST} --hub {} --out lost", server.url()));
    wait_for("the session", || Session::open(&bench.path("lost")).is_ok());
    server.process = None;
    let ran = selector.wait();
    assert_eq!(result(&ran.json()), expected, "{ran}");
}

#[test]
fn a_selector_that_is_killed_is_resumed() {
    let bench = Bench::new(&[("unit.c", SLOW)]);
    let Some(server) = Server::start(&bench, &[]) else { return };
    let expected = alone(&bench, TEST);
    let _worker = server.worker(&bench, "--jobs 1");
    let mut selector = Exploring::start(&bench, &format!("{TEST} --hub {} --out out", server.url()));
    wait_for("the session", || Session::open(&bench.path("out")).is_ok());
    std::thread::sleep(Duration::from_millis(300));
    let _ = selector.0.kill();
    let _ = selector.0.wait();
    let ran = bench.tine(&format!("resume out --json --quiet --hub {}", server.url()));
    assert_eq!(result(&ran.json()), expected, "{ran}");
}

/// The server accepts neither orders nor replies.
#[test]
fn a_full_disk_loses_nothing() {
    let bench = Bench::new(&[("unit.c", SLOW)]);
    bench.write("nats.conf", "jetstream { max_file_store: 24MB }\n");
    let config = bench.path("nats.conf");
    let Some(server) = Server::start(&bench, &["-c", &config.to_string_lossy()]) else { return };
    let expected = alone(&bench, TEST);
    let _worker = server.worker(&bench, "--jobs 1");
    let selector = Exploring::start(&bench, &format!("{TEST} --hub {} --out full", server.url()));
    wait_for("the session", || Session::open(&bench.path("full")).is_ok());
    fill(&server.url());
    let ran = selector.wait();
    assert_eq!(result(&ran.json()), expected, "{ran}");
    // Another program does not fit.
    bench.write("unit.c", BITS);
    let ran = bench.tine(&format!("{TEST} --hub {} --out more", server.url()));
    assert_eq!(ran.code, Some(2), "{ran}");
    assert!(ran.stderr.contains("does not take the program"), "{ran}");
    let ran = bench.tine(&format!("{TEST} --hub {} --hub-optional --out more", server.url()));
    assert_eq!(result(&ran.json()), alone(&bench, TEST), "{ran}");
}

/// Stores bytes until the server has no more room.
fn fill(url: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let context = async_nats::jetstream::new(async_nats::connect(url).await.expect("a server"));
        let config = async_nats::jetstream::stream::Config {
            name: "FILL".to_owned(),
            subjects: vec!["fill".to_owned()],
            ..Default::default()
        };
        context.create_stream(config).await.expect("a stream");
        for size in [1 << 19, 1 << 14, 1 << 9, 1] {
            while let Ok(sent) = context.publish("fill", vec![0; size].into()).await
                && sent.await.is_ok()
            {}
        }
    });
}
