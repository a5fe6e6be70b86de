//! A local server: `nats-server` with JetStream, a data directory and login data.
//!
//! ```text
//!   DIRECTORY/login             user and password, made at the first start
//!            /nats-server.conf  written at each start
//!            /nats-server.log   of the last start
//!            /jetstream         orders, replies and programs
//! ```

use std::fmt;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::net::{IpAddr, TcpListener};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_nats::jetstream;
use nkeys::KeyPair;
use tine_engine::remote::HubError;

use crate::login::{Login, block_on};
use crate::protocol;

/// The server's program.
const PROGRAM: &str = "nats-server";
/// Directories of system programs, which are not in the search path of most users.
const SYSTEM: [&str; 3] = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin"];
const PORT: u16 = 4222;
const USER: &str = "tine";
const LOGIN: &str = "login";
const CONFIG: &str = "nats-server.conf";
const LOG: &str = "nats-server.log";
/// Time in which a server must be ready. Large stores are read at the start.
const START: Duration = Duration::from_secs(60);
/// Time in which a server must end.
const END: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(50);

/// Settings of a local server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Address of an interface, or a host name.
    pub host: String,
    pub port: u16,
    /// Directory of the server's data. It is created if it does not exist.
    pub directory: PathBuf,
    /// Directories of the search path.
    pub search: Vec<PathBuf>,
    pub tls: Option<Tls>,
    /// Maximum size of the stored data in bytes.
    pub max_store: Option<u64>,
}

/// Files for secure connections.
#[derive(Clone, Debug)]
pub struct Tls {
    pub certificate: PathBuf,
    pub key: PathBuf,
    /// Authorities that must have signed the certificates of clients.
    pub clients: Option<PathBuf>,
}

/// A server that is ready.
#[derive(Clone, Debug)]
pub struct Ready {
    /// Address with the login data.
    pub url: String,
    /// True if the login data was made at this start.
    pub is_new: bool,
    /// The file with the login data.
    pub login: PathBuf,
    pub is_secure: bool,
    /// True if other machines cannot reach it.
    pub is_loopback: bool,
}

impl fmt::Display for Ready {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ready { url, is_new, login, is_secure, is_loopback } = self;
        let (scheme, address) = url.split_once("://").unwrap_or(("nats", url));
        let address = address.rsplit_once('@').map_or(address, |(_, address)| address);
        writeln!(f, "hub is ready at {scheme}://{address}")?;
        let kept = if *is_new {
            writeln!(f, "workers:      tine work {url}\nexplorations: tine test … --hub {url}")?;
            "this login data is not shown again; it is in"
        } else {
            "login data:"
        };
        writeln!(f, "{kept} {}", login.display())?;
        if !is_secure && !is_loopback {
            writeln!(f, "warning: without --tls-cert, others in the network can read passwords and programs")?;
        }
        Ok(())
    }
}

/// Host and port of `HOST[:PORT]` or `[ADDRESS][:PORT]`.
pub fn address(listen: &str) -> Result<(String, u16), HubError> {
    let wrong = || HubError { what: format!("`{listen}` is not an address"), help: "write HOST or HOST:PORT" };
    let (host, port) = match listen.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, port)) => (host, port.strip_prefix(':')),
        None => listen.split_once(':').map_or((listen, None), |(host, port)| (host, Some(port))),
    };
    let is_host = !host.is_empty() && host.chars().all(|c| c.is_ascii_alphanumeric() || ".:-_%".contains(c));
    let port = port.map_or(Ok(PORT), |port| port.parse().map_err(|_| wrong()))?;
    if is_host && port > 0 { Ok((host.to_owned(), port)) } else { Err(wrong()) }
}

/// Runs a server until `stop` is set. Reports once that it is ready.
pub fn run(settings: &Settings, stop: &AtomicBool, report: &mut dyn FnMut(&Ready)) -> Result<(), HubError> {
    let directory = &settings.directory;
    let unusable = |why: io::Error| HubError {
        what: format!("cannot use the directory {}: {why}", directory.display()),
        help: "name another one with --data",
    };
    let program = find(&settings.search)?;
    DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(unusable)?;
    let directory = &directory.canonicalize().map_err(unusable)?;
    let lock = OpenOptions::new().create(true).append(true).mode(0o600).open(directory.join("lock"));
    let lock = lock.map_err(unusable)?;
    if lock.try_lock().is_err() {
        return Err(HubError {
            what: format!("another `tine hub` uses {}", directory.display()),
            help: "end it, or name another directory with --data",
        });
    }
    // Tells more than the server's log.
    drop(TcpListener::bind((&*settings.host, settings.port)).map_err(|why| HubError {
        what: format!("cannot listen on {}:{}: {why}", settings.host, settings.port),
        help: "is there another server? --listen takes another address",
    })?);
    let (password, is_new) = login(&directory.join(LOGIN)).map_err(unusable)?;
    private(&directory.join(CONFIG), &config(settings, directory, &password)).map_err(unusable)?;
    let log = directory.join(LOG);
    private(&log, "").map_err(unusable)?;
    let mut server = Server::start(&program, &directory.join(CONFIG))?;
    let loopback = settings.host.parse().is_ok_and(|address: IpAddr| address.is_loopback());
    let ready = Ready {
        url: url_of(settings, &format!("{USER}:{password}@")),
        is_new,
        login: directory.join(LOGIN),
        is_secure: settings.tls.is_some(),
        is_loopback: loopback || settings.host == "localhost",
    };
    let began = Instant::now();
    while !is_up(settings, &password) {
        if stop.load(Ordering::Relaxed) {
            return server.end();
        }
        if let Some(status) = server.ended()? {
            return Err(failed(&log, status));
        }
        if began.elapsed() > START {
            return Err(HubError {
                what: format!("{PROGRAM} is not ready after {} s", START.as_secs()),
                help: "see nats-server.log in its directory",
            });
        }
        std::thread::sleep(LOOK);
    }
    report(&ready);
    while !stop.load(Ordering::Relaxed) {
        if let Some(status) = server.ended()? {
            // An interrupt on a terminal reaches both processes.
            std::thread::sleep(2 * LOOK);
            return if stop.load(Ordering::Relaxed) { Ok(()) } else { Err(failed(&log, status)) };
        }
        std::thread::sleep(LOOK);
    }
    server.end()
}

/// The login data that a local server wrote to its directory.
pub fn login_of(directory: &Path) -> Option<(String, String)> {
    let text = fs::read_to_string(directory.join(LOGIN)).ok()?;
    text.trim().split_once(':').map(|(user, password)| (user.to_owned(), password.to_owned()))
}

fn find(search: &[PathBuf]) -> Result<PathBuf, HubError> {
    let system = SYSTEM.map(PathBuf::from);
    search.iter().chain(&system).map(|directory| directory.join(PROGRAM)).find(|path| path.is_file()).ok_or_else(|| {
        HubError {
            what: format!("{PROGRAM} is not installed"),
            help: "install it (Debian: `apt install nats-server`), or give --hub the address of another server",
        }
    })
}

/// Reads the password, or makes one.
fn login(file: &Path) -> io::Result<(String, bool)> {
    if let Some((_, password)) = file.parent().and_then(login_of) {
        return Ok((password, false));
    }
    // A public key is random text without special characters.
    let password = KeyPair::new_user().public_key()[1..41].to_owned();
    private(file, &format!("{USER}:{password}\n"))?;
    Ok((password, true))
}

/// Writes a file that only its owner can read.
fn private(path: &Path, text: &str) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(why),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())
}

fn config(settings: &Settings, directory: &Path, password: &str) -> String {
    let text = |path: &Path| serde_json::to_string(&path.to_string_lossy()).expect("text is JSON");
    let mut config = format!(
        "# `tine hub` writes this file at each start.\n\
         server_name: \"tine\"\n\
         listen: \"{}\"\n\
         log_file: {}\n\
         jetstream {{\n  store_dir: {}\n",
        place(settings),
        text(&directory.join(LOG)),
        text(directory),
    );
    if let Some(bytes) = settings.max_store {
        config += &format!("  max_file_store: {bytes}\n");
    }
    config += &format!("}}\nauthorization {{ user: \"{USER}\", password: \"{password}\" }}\n");
    if let Some(tls) = &settings.tls {
        let absolute = |path: &Path| text(&path.canonicalize().unwrap_or_else(|_| path.to_owned()));
        config += &format!("tls {{\n  cert_file: {}\n  key_file: {}\n", absolute(&tls.certificate), absolute(&tls.key));
        if let Some(clients) = &tls.clients {
            config += &format!("  ca_file: {}\n  verify: true\n", absolute(clients));
        }
        config += "}\n";
    }
    config
}

fn place(settings: &Settings) -> String {
    let Settings { host, port, .. } = settings;
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}

fn url_of(settings: &Settings, login: &str) -> String {
    let scheme = if settings.tls.is_some() { "tls" } else { "nats" };
    format!("{scheme}://{login}{}", place(settings))
}

/// True if JetStream answers. With TLS, true if the server accepts connections, because this machine may have neither
/// the authority's certificate nor one of its own.
fn is_up(settings: &Settings, password: &str) -> bool {
    if settings.tls.is_some() {
        let host = if settings.host == "0.0.0.0" { "127.0.0.1" } else { &settings.host };
        return std::net::TcpStream::connect((host, settings.port)).is_ok();
    }
    let host = match &*settings.host {
        "0.0.0.0" => "127.0.0.1".to_owned(),
        "::" => "::1".to_owned(),
        host => host.to_owned(),
    };
    let local = Settings { host, ..settings.clone() };
    let login = Login { url: url_of(&local, &format!("{USER}:{password}@")), ..Login::default() };
    let made = block_on(async {
        let client = login.connect("tine hub").await.ok()?;
        protocol::make_streams(&jetstream::new(client)).await.ok()
    });
    matches!(made, Ok(Some(())))
}

fn failed(log: &Path, status: ExitStatus) -> HubError {
    let text = fs::read_to_string(log).unwrap_or_default();
    let line = text.lines().rev().find_map(|line| line.split_once("[FTL] ").or_else(|| line.split_once("[ERR] ")));
    let why = line.map_or_else(|| status.to_string(), |(_, why)| why.to_owned());
    HubError { what: format!("{PROGRAM} ended: {why}"), help: "see nats-server.log in its directory" }
}

/// Ended when it goes out of scope.
struct Server {
    child: Child,
    program: PathBuf,
}

impl Server {
    fn start(program: &Path, config: &Path) -> Result<Server, HubError> {
        let mut command = Command::new(program);
        command.arg("--config").arg(config).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // SAFETY: the function makes one system call, which other threads do not affect.
        unsafe {
            command.pre_exec(|| {
                // The server ends if tine is killed, so that the next one can use its address and its data.
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                Ok(())
            })
        };
        let child = command.spawn().map_err(|why| HubError {
            what: format!("cannot start {}: {why}", program.display()),
            help: "is it installed completely?",
        })?;
        Ok(Server { child, program: program.to_owned() })
    }

    fn ended(&mut self) -> Result<Option<ExitStatus>, HubError> {
        self.child
            .try_wait()
            .map_err(|why| HubError { what: format!("cannot watch {PROGRAM}: {why}"), help: "try again" })
    }

    /// Asks the server to end, and waits.
    fn end(mut self) -> Result<(), HubError> {
        let quit = format!("--signal=quit={}", self.child.id());
        let _ = Command::new(&self.program).arg(quit).stdout(Stdio::null()).stderr(Stdio::null()).status();
        let began = Instant::now();
        while began.elapsed() < END && self.ended()?.is_none() {
            std::thread::sleep(LOOK);
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(host: &str) -> Settings {
        Settings {
            host: host.to_owned(),
            port: 4222,
            directory: "data".into(),
            search: Vec::new(),
            tls: None,
            max_store: None,
        }
    }

    #[test]
    fn strings_of_the_configuration_are_quoted() {
        let text = config(&settings("::1"), Path::new("/a \"b"), "secret");
        assert!(text.contains("listen: \"[::1]:4222\""), "{text}");
        assert!(text.contains(r#"store_dir: "/a \"b""#), "{text}");
        let tls = Tls { certificate: "/c".into(), key: "/k".into(), clients: Some("/ca".into()) };
        let text = config(&Settings { tls: Some(tls), ..settings("h") }, Path::new("/d"), "secret");
        assert!(text.contains("ca_file: \"/ca\"\n  verify: true"), "{text}");
    }

    #[test]
    fn addresses_have_a_port() {
        let read = |text: &str| address(text).ok();
        assert_eq!(read("0.0.0.0:5000"), Some(("0.0.0.0".to_owned(), 5000)));
        assert_eq!(read("localhost"), Some(("localhost".to_owned(), PORT)));
        assert_eq!(read("[::1]:7"), Some(("::1".to_owned(), 7)));
        for wrong in ["", ":5", "host:0", "host:port", "a b", "host:70000"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_password_is_made_once() {
        let folder = tempfile::tempdir().expect("a directory");
        let (first, is_new) = login(&folder.path().join(LOGIN)).expect("a file");
        assert!(is_new && first.len() == 40);
        assert_eq!(login(&folder.path().join(LOGIN)).expect("a file"), (first.clone(), false));
        assert_eq!(login_of(folder.path()), Some((USER.to_owned(), first)));
        let mode = std::os::unix::fs::MetadataExt::mode(&fs::metadata(folder.path().join(LOGIN)).expect("a file"));
        assert_eq!(mode & 0o777, 0o600);
    }
}
