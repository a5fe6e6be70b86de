//! Connection to a server: its address and login data.

use std::future::Future;
use std::path::PathBuf;
use std::time::Duration;

use async_nats::{Client, ConnectOptions, ServerAddr};
use tine_engine::remote::HubError;

/// Timeout of a connection attempt.
const CONNECT_TIME: Duration = Duration::from_secs(5);
/// Longest pause between two attempts to connect again.
const MAX_PAUSE: Duration = Duration::from_secs(1);

/// See the module's documentation.
#[derive(Clone, Debug, Default)]
pub struct Login {
    /// `nats://HOST[:PORT]` or `tls://HOST[:PORT]`, with `USER:PASSWORD@` or `TOKEN@`.
    pub url: String,
    /// Credentials file: a JWT and its key.
    pub creds: Option<PathBuf>,
    /// File with the seed of an NKey.
    pub nkey: Option<PathBuf>,
    /// Certificates of the authorities that signed the server's certificate.
    pub ca: Option<PathBuf>,
}

impl Login {
    /// The address without secrets.
    pub fn place(&self) -> String {
        match self.url.parse::<ServerAddr>() {
            Ok(address) => format!("{}:{}", address.host(), address.port()),
            Err(_) => "the given address".to_owned(),
        }
    }

    pub(crate) async fn connect(&self, name: &str) -> Result<Client, HubError> {
        let failed = |what: String, help| HubError { what, help };
        let address: ServerAddr = self.url.parse().map_err(|_| {
            failed("the address of the hub cannot be read".to_owned(), "write it as nats://HOST[:PORT]")
        })?;
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(CONNECT_TIME)
            .reconnect_delay_callback(|attempt| MAX_PAUSE.min(Duration::from_millis(50 << attempt.min(5))))
            .max_reconnects(None);
        if let Some(user) = address.username().filter(|user| !user.is_empty()) {
            options = match address.password() {
                Some(password) => options.user_and_password(user.to_owned(), password.to_owned()),
                None => options.token(user.to_owned()),
            };
        }
        let unreadable = |file: &PathBuf, why| {
            failed(
                format!("cannot read {}: {why}", file.display()),
                "give the file that the server's operator gave you",
            )
        };
        if let Some(file) = &self.creds {
            options = options.credentials_file(file).await.map_err(|why| unreadable(file, why))?;
        }
        if let Some(file) = &self.nkey {
            let seed = std::fs::read_to_string(file).map_err(|why| unreadable(file, why))?;
            options = options.nkey(seed.trim().to_owned());
        }
        if let Some(file) = &self.ca {
            options = options.add_root_certificates(file.clone()).require_tls(true);
        }
        options.connect(address).await.map_err(|why| {
            use async_nats::ConnectErrorKind as Kind;
            let place = self.place();
            match why.kind() {
                Kind::Authentication | Kind::AuthorizationViolation => failed(
                    format!("the hub at {place} refuses these credentials"),
                    "log in with USER:PASSWORD@ or TOKEN@ in the address, --hub-creds or --hub-nkey",
                ),
                Kind::Tls => failed(format!("no secure connection to the hub at {place}: {why}"), "see --hub-ca"),
                _ => failed(
                    format!("the hub at {place} cannot be reached: {why}"),
                    "start one with `tine hub`, or leave --hub out; --hub-optional goes on without it",
                ),
            }
        })
    }
}

/// Runs the asynchronous part of this crate on this thread.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> Result<T, HubError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|why| HubError {
        what: format!("cannot start a connection: {why}"),
        help: "are there too many open files or processes?",
    })?;
    Ok(runtime.block_on(work))
}
