//! `tine hub`, `tine hub status`, and ways to log in.

use std::process::{Command, Stdio};

use super::{BITS, NATS, Process, Server, TEST, alone, free_port, is_installed, result, runs_of_machines};
use crate::support::{Bench, wait_for};

/// `tine hub`, with its messages in a file.
fn hub(bench: &Bench, flags: &str, log: &str) -> Process {
    let file = std::fs::File::create(bench.path(log)).expect("a file");
    let mut command = bench.command(&format!("hub {flags}"));
    let child = command.stdin(Stdio::null()).stdout(file).stderr(Stdio::null()).spawn().expect("it starts");
    wait_for("the hub", || std::fs::read_to_string(bench.path(log)).is_ok_and(|text| text.contains("login")));
    Process(child)
}

/// Expects an error. The files of a server that runs may change.
#[track_caller]
fn fails(bench: &Bench, arguments: &str, part: &str) {
    let ran = bench.tine(arguments);
    assert_eq!(ran.code, Some(2), "{ran}");
    assert!(ran.stderr.contains(part) && !ran.stderr.contains("panicked"), "`{part}` is missing in: {ran}");
}

#[test]
fn a_local_hub_has_a_login_that_it_shows_once() {
    let bench = Bench::new(&[("unit.c", BITS)]);
    if !is_installed() {
        return;
    }
    let port = free_port();
    let flags = format!("--listen 127.0.0.1:{port} --data data");
    let first = hub(&bench, &flags, "first");
    let text = std::fs::read_to_string(bench.path("first")).expect("a file");
    let url = text.split_whitespace().find(|word| word.starts_with("nats://tine:")).expect("an address").to_owned();
    fails(&bench, &format!("hub {flags}"), "another `tine hub` uses");
    fails(&bench, &format!("work nats://127.0.0.1:{port}"), "refuses these credentials");
    drop(first);

    let _again = hub(&bench, &flags, "again");
    let text = std::fs::read_to_string(bench.path("again")).expect("a file");
    assert!(!text.contains("tine:"), "the password is shown once: {text}");
    let _worker = Process::start(&mut bench.command(&format!("work {url} --jobs 1")));
    let status = || bench.tine(&format!("hub status nats://127.0.0.1:{port} --data data --json"));
    wait_for("the worker", || status().json()["workers"].as_array().is_some_and(|workers| workers.len() == 1));
    let shown = bench.tine(&format!("hub status {url}"));
    assert!(shown.stdout.contains("no explorations\n") && shown.stdout.contains(": 1 job, idle\n"), "{shown}");

    let expected = alone(&bench, TEST);
    let ran = bench.tine(&format!("{TEST} --hub {url} --out hub"));
    assert_eq!(result(&ran.json()), expected, "{ran}");
    // Variables of the environment log in, too.
    let password = url.trim_start_matches("nats://tine:").split('@').next().expect("a password");
    let mut command = bench.command(&format!("{TEST} --hub nats://127.0.0.1:{port} --out variables"));
    command.env("NATS_USER", "tine").env("NATS_PASSWORD", password);
    let ran = crate::support::ran("with variables", &mut command);
    assert_eq!(result(&ran.json()), expected, "{ran}");

    fails(&bench, &format!("hub --listen 127.0.0.1:{port} --data other"), "cannot listen on");
    fails(&bench, "hub --listen nowhere:port", "is not an address");
}

#[test]
fn an_interrupted_hub_ends_its_server() {
    let bench = Bench::new(&[]);
    if !is_installed() {
        return;
    }
    let port = free_port();
    let mut hub = hub(&bench, &format!("--listen 127.0.0.1:{port} --data data"), "log");
    let interrupted = Command::new("kill").args(["-INT", &hub.0.id().to_string()]).status();
    assert!(interrupted.expect("kill runs").success());
    assert_eq!(hub.0.wait().expect("it ends").code(), Some(0));
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err(), "the server lives");
}

#[test]
fn logins_of_other_clients_work() {
    let bench = Bench::new(&[("unit.c", BITS)]);
    let Some(server) = Server::start(&bench, &["--user", "tine", "--pass", "se:cr@t"]) else { return };
    let at = |who: &str| format!("--hub nats://{who}127.0.0.1:{}", server.port);
    fails(&bench, &format!("{TEST} {}", at("tine:wrong@")), "refuses these credentials");
    fails(&bench, &format!("{TEST} {}", at("")), "refuses these credentials");
    let ran = bench.tine(&format!("{TEST} {} --out right", at("tine:se%3Acr%40t@")));
    assert_eq!(ran.code, Some(1), "{ran}");
    let stored = bench.path("right").join("session.db");
    let bytes = std::fs::read(&stored).unwrap_or_default();
    assert!(!bytes.windows(6).any(|part| part == b"se:cr@" || part == b"se%3Ac"), "a password in {}", stored.display());

    let with_token = Server::start(&bench, &["--auth", "letters"]).expect("it is installed");
    fails(&bench, &format!("work nats://digits@127.0.0.1:{}", with_token.port), "refuses these credentials");
    let shown = bench.tine(&format!("hub status nats://letters@127.0.0.1:{}", with_token.port));
    assert_eq!(shown.code, Some(0), "{shown}");

    let key = nkeys::KeyPair::new_user();
    bench.write("seed", &key.seed().expect("a seed"));
    bench.write("other", &nkeys::KeyPair::new_user().seed().expect("a seed"));
    bench.write("nats.conf", &format!("authorization {{ users: [ {{ nkey: {} }} ] }}\n", key.public_key()));
    let config = bench.path("nats.conf");
    let with_key = Server::start(&bench, &["-c", &config.to_string_lossy()]).expect("it is installed");
    let shown = bench.tine(&format!("hub status {} --hub-nkey seed", with_key.url()));
    assert_eq!(shown.code, Some(0), "{shown}");
    fails(&bench, &format!("hub status {} --hub-nkey other", with_key.url()), "refuses these credentials");
    fails(&bench, &format!("hub status {} --hub-nkey unit.c", with_key.url()), "not the seed of an NKey");
}

/// Makes a certificate that an authority of its own has signed.
fn certificates(bench: &Bench) -> bool {
    let make = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ca.key -out ca.pem -subj /CN=authority && \
                for who in hub worker; do \
                openssl req -newkey rsa:2048 -nodes -keyout $who.key -out $who.csr -subj /CN=$who && \
                echo subjectAltName=DNS:localhost,IP:127.0.0.1 > $who.ext && \
                openssl x509 -req -in $who.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile $who.ext \
                -out $who.pem || exit 1; done";
    let made = Command::new("sh").args(["-c", make]).current_dir(bench.path(".")).output();
    made.is_ok_and(|made| made.status.success())
}

#[test]
fn connections_can_be_secure() {
    let bench = Bench::new(&[("unit.c", BITS)]);
    if !is_installed() || !certificates(&bench) {
        eprintln!("skipped: there is no {NATS} or openssl");
        return;
    }
    let port = free_port();
    let flags = format!("--listen 127.0.0.1:{port} --data data --tls-cert hub.pem --tls-key hub.key");
    let _hub = hub(&bench, &format!("{flags} --tls-client-ca ca.pem"), "log");
    let text = std::fs::read_to_string(bench.path("log")).expect("a file");
    let url = text.split_whitespace().find(|word| word.starts_with("tls://tine:")).expect("an address").to_owned();
    let login = "--hub-ca ca.pem --hub-cert worker.pem --hub-key worker.key";
    let _worker = Process::start(&mut bench.command(&format!("work {url} --jobs 1 {login}")));
    let expected = alone(&bench, TEST);
    let ran = bench.tine(&format!("{TEST} --hub {url} {login} --out hub"));
    assert_eq!(result(&ran.json()), expected, "{ran}");
    assert!(runs_of_machines(&ran.json()) > 0, "{ran}");
    fails(&bench, &format!("hub status {url} --hub-cert worker.pem --hub-key worker.key"), "error");
    fails(&bench, &format!("hub status {url} --hub-ca ca.pem"), "error");
}
