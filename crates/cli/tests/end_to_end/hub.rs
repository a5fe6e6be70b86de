//! Other machines: workers join, leave, die and send false replies, and the result equals that of one machine. Uses a
//! real server on loopback.

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::{Bench, errors, wait_for};

/// 1,024 paths, an error on one.
const BITS: &str = "\
int f(unsigned x) {
    int n = 0;
    for (int i = 0; i < 10; i++)
        if (x >> i & 1)
            n++;
    if ((x & 1023) == 700)
        __builtin_trap();
    return n;
}
";

/// Ended when it goes out of scope.
struct Process(Child);

impl Process {
    fn start(command: &mut Command) -> Process {
        let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Process(command.spawn().expect("it starts"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server with its data in the bench's directory.
struct Server {
    port: u16,
    process: Option<Process>,
    folder: std::path::PathBuf,
    flags: Vec<String>,
}

impl Server {
    /// `None` if it is not installed (`make setup` installs it).
    fn start(bench: &Bench, flags: &[&str]) -> Option<Server> {
        if Command::new("nats-server").arg("--version").output().is_err() {
            eprintln!("skipped: nats-server is not installed");
            return None;
        }
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
        let mut server = Server { port, process: None, folder: bench.path("nats"), flags };
        server.run();
        Some(server)
    }

    fn run(&mut self) {
        let mut command = Command::new("nats-server");
        command
            .args(["-a", "127.0.0.1", "-p", &self.port.to_string(), "-js", "-sd"])
            .arg(&self.folder)
            .args(&self.flags);
        self.process = Some(Process::start(&mut command));
        wait_for("the server", || std::net::TcpStream::connect(("127.0.0.1", self.port)).is_ok());
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    fn worker(&self, bench: &Bench, flags: &str) -> Process {
        Process::start(&mut bench.command(&format!("work {} {flags}", self.url())))
    }
}

const TEST: &str = "test unit.c --fn f --json --quiet --max-time 100s";

/// The part of the summary that does not depend on the workers. The number of runs depends on when the search restarts.
fn result(summary: &serde_json::Value) -> (Vec<String>, BTreeSet<(String, u64)>) {
    let numbers = ["paths", "branches_covered", "verdict", "open", "divergences"];
    (numbers.map(|key| format!("{key} {}", summary[key])).to_vec(), errors(summary).into_iter().collect())
}

fn alone(bench: &Bench) -> (Vec<String>, BTreeSet<(String, u64)>) {
    let ran = bench.tine(&format!("{TEST} --jobs 1 --out alone"));
    assert_eq!(ran.code, Some(1), "{ran}");
    result(&ran.json())
}

fn runs_of_machines(summary: &serde_json::Value) -> u64 {
    let machines = summary["machines"].as_array().map_or(&[][..], Vec::as_slice);
    machines.iter().map(|machine| machine["runs"].as_u64().expect("a number")).sum()
}

#[test]
fn workers_find_what_one_machine_finds() {
    let bench = Bench::new(&[("unit.c", BITS)]);
    let Some(server) = Server::start(&bench, &[]) else { return };
    let expected = alone(&bench);
    let _workers = [server.worker(&bench, "--jobs 1"), server.worker(&bench, "--jobs 1")];
    for (number, flags) in ["", "--jobs 1"].into_iter().enumerate() {
        let ran = bench.tine(&format!("{TEST} {flags} --hub {} --out hub{number}", server.url()));
        assert_eq!(result(&ran.json()), expected, "{ran}");
        assert!(runs_of_machines(&ran.json()) > 0, "{ran}");
    }
}

#[test]
fn workers_that_die_lose_nothing() {
    let bench = Bench::new(&[("unit.c", BITS)]);
    let Some(server) = Server::start(&bench, &[]) else { return };
    let expected = alone(&bench);
    let rounds = if std::env::var_os("TINE_LONG").is_some() { 10 } else { 1 };
    for round in 0..rounds {
        let _stays = server.worker(&bench, "--jobs 1");
        let command = format!("{TEST} --hub {} --out dying{round}", server.url());
        let mut selector = bench.command(&command);
        let selector = selector.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("tine starts");
        for kill in 0..3 {
            let worker = server.worker(&bench, "--jobs 1");
            std::thread::sleep(Duration::from_millis(150 + 170 * kill + 40 * round));
            drop(worker);
        }
        let output = selector.wait_with_output().expect("it ends");
        let summary = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(result(&summary), expected, "round {round}");
    }
}

#[test]
fn a_server_that_restarts_loses_nothing() {
    let bench = Bench::new(&[("unit.c", BITS)]);
    let Some(mut server) = Server::start(&bench, &[]) else { return };
    let expected = alone(&bench);
    let _worker = server.worker(&bench, "--jobs 1");
    let mut selector = bench.command(&format!("{TEST} --hub {} --out restarted", server.url()));
    let selector = selector.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("tine starts");
    std::thread::sleep(Duration::from_millis(300));
    server.process = None;
    std::thread::sleep(Duration::from_millis(300));
    server.run();
    let output = selector.wait_with_output().expect("it ends");
    assert_eq!(result(&serde_json::from_slice(&output.stdout).expect("JSON")), expected);
}

#[test]
fn without_workers_it_is_done_here() {
    let bench = Bench::new(&[("unit.c", BITS)]);
    let Some(server) = Server::start(&bench, &[]) else { return };
    let expected = alone(&bench);
    let ran = bench.tine(&format!("{TEST} --hub {} --out alone", server.url()));
    assert_eq!(result(&ran.json()), expected, "{ran}");
    assert_eq!(runs_of_machines(&ran.json()), 0);
}

#[test]
fn a_hub_that_cannot_be_used_is_an_error_at_once() {
    let bench = Bench::new(&[("unit.c", BITS)]);
    let unused = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port");
    let flags = format!("--hub nats://{unused}");
    bench.fails(&format!("{TEST} {flags}"), 2, &["cannot be reached"]);
    bench.fails(&format!("work nats://{unused}"), 2, &["cannot be reached"]);
    let ran = bench.tine(&format!("{TEST} {flags} --hub-optional --out optional"));
    assert_eq!(ran.code, Some(1), "{ran}");
    assert_eq!(result(&ran.json()), alone(&bench));
    let Some(server) = Server::start(&bench, &["--user", "tine", "--pass", "secret"]) else { return };
    let at = |who: &str| format!("--hub nats://{who}127.0.0.1:{}", server.port);
    bench.fails(&format!("{TEST} {}", at("tine:wrong@")), 2, &["refuses these credentials"]);
    bench.fails(&format!("{TEST} {}", at("")), 2, &["refuses these credentials"]);
    let ran = bench.tine(&format!("{TEST} {} --out right", at("tine:secret@")));
    assert_eq!(ran.code, Some(1), "{ran}");
    let stored = Path::new(&bench.path("right")).join("session.db");
    let bytes = std::fs::read(&stored).unwrap_or_default();
    assert!(!bytes.windows(6).any(|part| part == b"secret"), "a password in {}", stored.display());
}
