//! `tine hub`: a local server, and the state of any.

use std::env;
use std::path::PathBuf;

use tine_engine::STOP;
use tine_remote::server::{self, Ready, Settings, Tls};
use tine_remote::status::{self, Status};
use tine_report::{printable, printable_json};

use crate::explore::stop_on_interrupt;
use crate::failure::{EXIT_FINE, Failure};
use crate::options::{HubCommand, HubServerOptions, HubStatusOptions};
use crate::work::login;

const PORT: u16 = 4222;

pub(crate) fn hub(options: &HubServerOptions) -> Result<u8, Failure> {
    if let Some(HubCommand::Status(options)) = &options.command {
        return show(options);
    }
    stop_on_interrupt();
    let (host, port) = address(&options.listen)?;
    let tls = options.tls_cert.clone().zip(options.tls_key.clone());
    let settings = Settings {
        host,
        port,
        directory: options.data.clone().map_or_else(data, Ok)?,
        search: env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default(),
        tls: tls.map(|(certificate, key)| Tls { certificate, key, clients: options.tls_client_ca.clone() }),
        max_store: options.max_store.map(|size| size.0),
    };
    server::run(&settings, &STOP, &mut |ready| print!("{}", describe(ready)))?;
    Ok(EXIT_FINE)
}

/// The message of a server that is ready.
fn describe(ready: &Ready) -> String {
    let Ready { url, is_new, login, is_secure, is_loopback } = ready;
    let address = url.rsplit_once('@').map_or(&**url, |(_, address)| address);
    let scheme = url.split("://").next().unwrap_or("nats");
    let mut text = format!("hub is ready at {scheme}://{address}\n");
    if *is_new {
        text += &format!("workers:      tine work {url}\nexplorations: tine test … --hub {url}\n");
    }
    let kept = if *is_new { "this login data is not shown again; it is in" } else { "login data:" };
    text += &format!("{kept} {}\n", printable(&login.display().to_string()));
    if !is_secure && !is_loopback {
        text += "warning: without --tls-cert, others in the network can read passwords and programs\n";
    }
    text
}

/// `tine hub status`.
fn show(options: &HubStatusOptions) -> Result<u8, Failure> {
    let mut login = login(&options.url, &options.login);
    let is_given = options.url.contains('@') || login.creds.is_some() || login.nkey.is_some() || login.cert.is_some();
    if !is_given && login.user.is_none() && login.token.is_none() {
        login.user = options.data.clone().or_else(|| data().ok()).and_then(|folder| server::login_of(&folder));
    }
    let status = status::status(&login)?;
    if options.json {
        let text = serde_json::to_string_pretty(&status).expect("it is JSON");
        println!("{}", printable_json(&text));
    } else {
        print!("{}", text(&status));
    }
    Ok(EXIT_FINE)
}

fn text(status: &Status) -> String {
    let mut text = format!("hub at {}: nats-server {}, {} stored\n", status.hub, status.server, size(status.stored));
    if status.explorations.is_empty() {
        text += "no explorations\n";
    }
    for one in &status.explorations {
        let workers = tine_report::count(one.workers as u64, "worker");
        let (in_flight, rate) = (tine_report::count(one.in_flight as u64, "order"), one.rate);
        text += &format!("exploration `{}`: {workers}, {in_flight} in flight, {rate:.0} orders/s\n", one.target);
    }
    if status.workers.is_empty() {
        text += "no workers\n";
    }
    for one in &status.workers {
        let jobs = tine_report::count(u64::from(one.jobs), "job");
        text += &match &one.serves {
            Some(target) => {
                let orders = tine_report::count(one.orders, "order");
                format!("worker {}: {jobs}, serves `{target}`, {orders}, {:.0} orders/s\n", one.name, one.rate)
            }
            None => format!("worker {}: {jobs}, idle\n", one.name),
        };
    }
    tine_report::printable_lines(&text).into()
}

fn size(bytes: u64) -> String {
    if bytes < 1 << 20 { format!("{} KB", bytes.div_ceil(1 << 10)) } else { format!("{} MB", bytes >> 20) }
}

/// Host and port of `HOST[:PORT]` or `[ADDRESS][:PORT]`.
fn address(listen: &str) -> Result<(String, u16), Failure> {
    let wrong = || Failure::usage(format!("`{}` is not an address", printable(listen)), "write HOST or HOST:PORT");
    let (host, port) = match listen.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, port)) => (host, port.strip_prefix(':')),
        None => listen.split_once(':').map_or((listen, None), |(host, port)| (host, Some(port))),
    };
    let is_host = !host.is_empty() && host.chars().all(|c| c.is_ascii_alphanumeric() || ".:-_%".contains(c));
    let port = port.map_or(Ok(PORT), |port| port.parse().map_err(|_| wrong()))?;
    if is_host && port > 0 { Ok((host.to_owned(), port)) } else { Err(wrong()) }
}

/// The directory for data of this user's server.
fn data() -> Result<PathBuf, Failure> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_DATA_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/share")));
    base.map(|base| base.join("tine/hub"))
        .ok_or_else(|| Failure::usage("there is no home directory for the server's data", "name a directory with --data"))
}
