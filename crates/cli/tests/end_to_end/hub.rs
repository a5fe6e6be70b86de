//! Other machines: workers join, leave, die and send false replies, and the result equals that of one machine. Uses a
//! real server on loopback.

mod faults;
mod server;
mod trust;

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tine_session::Session;

use crate::support::{Bench, Ran, errors, wait_for};

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

/// 256 paths that take some milliseconds each, an error on one.
const SLOW: &str = "\
int f(unsigned x) {
    int n = 0;
    for (volatile int i = 0; i < 200000; i++)
        ;
    for (int i = 0; i < 8; i++)
        if (x >> i & 1)
            n++;
    if ((x & 255) == 70)
        __builtin_trap();
    return n;
}
";

/// A program that reads its input from a file.
const PROGRAM: &str = "\
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char text[4] = \"\";
    for (volatile int i = 0; i < 100000; i++)
        ;
    if (fread(text, 1, 4, stdin) < 4)
        return 1;
    int n = 0;
    for (int i = 0; i < 4; i++)
        n += text[i] == 'a' ? 1 : text[i] == 'b' ? 2 : text[i] == 'c' ? 3 : 0;
    if (n == 11 && text[2] == 'b')
        abort();
    return 0;
}
";

/// Calls whose states are recognised.
const COUNTER: &str = "\
#include <assert.h>
struct counter { int n; };
void reset(struct counter *c) { c->n = 0; }
void add(struct counter *c, int x) { if (x > 0 && x < 4) c->n += x; }
int check(struct counter *c) { assert(c->n != 5); return c->n; }
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
        if !is_installed() {
            return None;
        }
        let flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
        let mut server = Server { port: free_port(), process: None, folder: bench.path("nats"), flags };
        server.run();
        Some(server)
    }

    fn run(&mut self) {
        let mut command = Command::new(NATS);
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

/// Debian installs it outside of the search path of users.
const NATS: &str = "/usr/sbin/nats-server";

fn is_installed() -> bool {
    let is_there = Path::new(NATS).exists();
    if !is_there {
        eprintln!("skipped: nats-server is not installed");
    }
    is_there
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port()
}

const TEST: &str = "test unit.c --fn f --json --quiet --max-time none";

/// The part of the summary that does not depend on the workers. The number of runs depends on when the search restarts.
fn result(summary: &Value) -> (Vec<String>, BTreeSet<(String, u64)>) {
    let numbers = ["paths", "branches_covered", "verdict", "open", "divergences"];
    (numbers.map(|key| format!("{key} {}", summary[key])).to_vec(), errors(summary).into_iter().collect())
}

/// The result of one machine.
fn alone(bench: &Bench, command: &str) -> (Vec<String>, BTreeSet<(String, u64)>) {
    let ran = bench.tine(&format!("{command} --jobs 1 --out alone"));
    assert_eq!(ran.code, Some(1), "{ran}");
    std::fs::remove_dir_all(bench.path("alone")).expect("a session");
    result(&ran.json())
}

fn runs_of_machines(summary: &Value) -> u64 {
    let machines = summary["machines"].as_array().map_or(&[][..], Vec::as_slice);
    machines.iter().map(|machine| machine["runs"].as_u64().expect("a number")).sum()
}

/// An exploration that runs in the background.
struct Exploring(Child);

impl Exploring {
    fn start(bench: &Bench, command: &str) -> Exploring {
        let mut command = bench.command(command);
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Exploring(command.spawn().expect("tine starts"))
    }

    fn wait(self) -> Ran {
        let output = self.0.wait_with_output().expect("it ends");
        Ran {
            command: "in the background".to_owned(),
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// Functions, programs and call sequences, with workers alone and together with this machine's.
#[test]
fn workers_find_what_one_machine_finds() {
    let bench = Bench::new(&[("unit.c", BITS), ("program.c", PROGRAM), ("counter.c", COUNTER)]);
    let Some(server) = Server::start(&bench, &[]) else { return };
    let _workers = [server.worker(&bench, "--jobs 1"), server.worker(&bench, "--jobs 1")];
    bench.compile("program.c", "program");
    let program = "run ./program --sym-stdin 4 --json --quiet --max-time none";
    let calls = "sequence counter.c --calls 'reset,add*,check?' --max-calls 4 --json --quiet --max-time none";
    for (number, (command, is_remote)) in [(TEST, true), (program, true), (calls, false)].into_iter().enumerate() {
        let expected = alone(&bench, command);
        for flags in ["", "--jobs 1"] {
            let out = format!("hub{number}-{}", flags.len());
            let ran = bench.tine(&format!("{command} {flags} --hub {} --out {out}", server.url()));
            assert_eq!(result(&ran.json()), expected, "{ran}");
            assert!(!is_remote || runs_of_machines(&ran.json()) > 0, "{ran}");
        }
    }
    // The session has the workers, too.
    let session = Session::open(&bench.path("hub0-0")).expect("a session");
    let summary = session.summary().expect("it can be read").expect("it is finished");
    assert!(!summary.machines.is_empty());
}

#[test]
fn without_workers_it_is_done_here() {
    let bench = Bench::new(&[("unit.c", BITS)]);
    let Some(server) = Server::start(&bench, &[]) else { return };
    let expected = alone(&bench, TEST);
    let ran = bench.tine(&format!("{TEST} --hub {} --out local", server.url()));
    assert_eq!(result(&ran.json()), expected, "{ran}");
    assert_eq!(runs_of_machines(&ran.json()), 0);
}

#[test]
fn a_hub_that_cannot_be_used_is_an_error_at_once() {
    let bench = Bench::new(&[("unit.c", BITS)]);
    let unused = format!("127.0.0.1:{}", free_port());
    let flags = format!("--hub nats://{unused}");
    bench.fails(&format!("{TEST} {flags}"), 2, &["cannot be reached", "tine hub"]);
    bench.fails(&format!("work nats://{unused}"), 2, &["cannot be reached"]);
    bench.fails(&format!("hub status nats://{unused}"), 2, &["cannot be reached"]);
    bench.fails("work nats://", 2, &["cannot be read"]);
    let ran = bench.tine(&format!("{TEST} {flags} --hub-optional --out optional"));
    assert_eq!(ran.code, Some(1), "{ran}");
    assert!(ran.stderr.contains("cannot be reached"), "{ran}");
    assert_eq!(result(&ran.json()), alone(&bench, TEST));
    if !is_installed() {
        return;
    }
    // A server without JetStream.
    let port = free_port();
    let _server = Process::start(Command::new(NATS).args(["-a", "127.0.0.1", "-p", &port.to_string()]));
    wait_for("the server", || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
    bench.fails(&format!("{TEST} --hub nats://127.0.0.1:{port}"), 2, &["no JetStream"]);
}
