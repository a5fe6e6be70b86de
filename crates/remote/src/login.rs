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
    /// `nats://HOST[:PORT]` or `tls://HOST[:PORT]`, with `USER:PASSWORD@` or `TOKEN@`. Servers of a cluster are separated
    /// by commas.
    pub url: String,
    /// User and password, or a token, if the address has none.
    pub user: Option<(String, String)>,
    pub token: Option<String>,
    /// Credentials file: a JWT and its key.
    pub creds: Option<PathBuf>,
    /// File with the seed of an NKey.
    pub nkey: Option<PathBuf>,
    /// Certificates of the authorities that signed the server's certificate.
    pub ca: Option<PathBuf>,
    /// Certificate of this client, and its private key.
    pub cert: Option<PathBuf>,
    pub key: Option<PathBuf>,
}

impl Login {
    /// The address without secrets.
    pub fn place(&self) -> String {
        let place = |address: &ServerAddr| format!("{}:{}", address.host(), address.port());
        match self.addresses() {
            Ok(addresses) => addresses.iter().map(place).collect::<Vec<_>>().join(","),
            Err(_) => "the given address".to_owned(),
        }
    }

    /// True if it can identify its user.
    pub fn has_secrets(&self) -> bool {
        let has_file = [&self.creds, &self.nkey, &self.cert].iter().any(|file| file.is_some());
        self.url.contains('@') || self.user.is_some() || self.token.is_some() || has_file
    }

    fn addresses(&self) -> Result<Vec<ServerAddr>, HubError> {
        let addresses: Result<Vec<ServerAddr>, _> = self.url.split(',').map(|one| one.trim().parse()).collect();
        let is_whole = |all: &Vec<ServerAddr>| all.iter().all(|one| !one.host().is_empty());
        addresses.ok().filter(is_whole).ok_or_else(|| {
            failed(
                "the address of the hub cannot be read".to_owned(),
                "write it as nats://HOST[:PORT] or tls://HOST[:PORT]",
            )
        })
    }

    pub(crate) async fn connect(&self, name: &str) -> Result<Client, HubError> {
        let addresses = self.addresses()?;
        let options = self.options(name, &addresses[0]).await?;
        options.connect(addresses).await.map_err(|why| {
            use async_nats::ConnectErrorKind as Kind;
            let place = self.place();
            match why.kind() {
                Kind::Authentication | Kind::AuthorizationViolation => failed(
                    format!("the hub at {place} refuses these credentials"),
                    "log in with USER:PASSWORD@ or TOKEN@ in the address, --hub-creds, --hub-nkey or --hub-cert",
                ),
                Kind::Tls => failed(format!("no secure connection to the hub at {place}: {why}"), "see --hub-ca"),
                _ => failed(
                    format!("the hub at {place} cannot be reached: {why}"),
                    "start one with `tine hub`, or leave --hub out; --hub-optional goes on without it",
                ),
            }
        })
    }

    async fn options(&self, name: &str, address: &ServerAddr) -> Result<ConnectOptions, HubError> {
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(CONNECT_TIME)
            .reconnect_delay_callback(|attempt| MAX_PAUSE.min(Duration::from_millis(50 << attempt.min(5))))
            .max_reconnects(None);
        options = match (address.username().map(decoded), address.password().map(decoded)) {
            (Some(user), Some(password)) => options.user_and_password(user, password),
            (Some(token), None) => options.token(token),
            _ => match (&self.user, &self.token) {
                (Some((user, password)), _) => options.user_and_password(user.clone(), password.clone()),
                (None, Some(token)) => options.token(token.clone()),
                (None, None) => options,
            },
        };
        if let Some(file) = &self.creds {
            options = options.credentials_file(file).await.map_err(|why| unreadable(file, &why.to_string()))?;
        }
        if let Some(file) = &self.nkey {
            let seed = std::fs::read_to_string(file).map_err(|why| unreadable(file, &why.to_string()))?;
            if nkeys::KeyPair::from_seed(seed.trim()).is_err() {
                return Err(unreadable(file, "it is not the seed of an NKey"));
            }
            options = options.nkey(seed.trim().to_owned());
        }
        for file in [&self.ca, &self.cert, &self.key].into_iter().flatten() {
            std::fs::metadata(file).map_err(|why| unreadable(file, &why.to_string()))?;
        }
        if let Some(file) = &self.ca {
            options = options.add_root_certificates(file.clone()).require_tls(true);
        }
        match (&self.cert, &self.key) {
            (Some(cert), Some(key)) => Ok(options.add_client_certificate(cert.clone(), key.clone()).require_tls(true)),
            (None, None) => Ok(options),
            _ => Err(failed("a certificate needs its key".to_owned(), "give both --hub-cert and --hub-key")),
        }
    }

    pub(crate) fn no_jetstream(&self, why: &str) -> HubError {
        let what = format!("the hub at {} has no JetStream that can be used: {why}", self.place());
        HubError { what, help: "start the server with `--jetstream`, and look at its disk" }
    }
}

fn failed(what: String, help: &'static str) -> HubError {
    HubError { what, help }
}

fn unreadable(file: &std::path::Path, why: &str) -> HubError {
    failed(format!("cannot read {}: {why}", file.display()), "give the file that the server's operator gave you")
}

/// The text of a part of an address, in which `%40` is an `@`.
fn decoded(part: &str) -> String {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let coded = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| *first == b'%');
        bytes.push(coded.unwrap_or(*first));
        rest = if coded.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Runs the asynchronous part of this crate on this thread.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> Result<T, HubError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|why| HubError {
        what: format!("cannot start a connection: {why}"),
        help: "are there too many open files or processes?",
    })?;
    Ok(runtime.block_on(work))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn login_data_in_addresses_is_decoded() {
        assert_eq!(decoded("plain"), "plain");
        assert_eq!(decoded("p%40ss%3aword"), "p@ss:word");
        assert_eq!(decoded("100%"), "100%");
        assert_eq!(decoded("%zz%"), "%zz%");
    }

    #[test]
    fn places_have_no_secrets() {
        let place = |url: &str| Login { url: url.to_owned(), ..Login::default() }.place();
        assert_eq!(place("nats://user:secret@host"), "host:4222");
        assert_eq!(place("secret@one:1, two:2"), "one:1,two:2");
        assert_eq!(place("not an address"), "the given address");
    }
}
