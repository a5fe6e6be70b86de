//! `tine hub`: a local server, and the state of any.

use std::env;
use std::path::PathBuf;

use tine_engine::STOP;
use tine_remote::server::{self, Settings, Tls};
use tine_remote::status;
use tine_report::{printable_json, printable_lines};

use crate::explore::stop_on_interrupt;
use crate::failure::{EXIT_FINE, Failure};
use crate::options::{HubCommand, HubServerOptions, HubStatusOptions};
use crate::work::login;

pub(crate) fn hub(options: &HubServerOptions) -> Result<u8, Failure> {
    if let Some(HubCommand::Status(options)) = &options.command {
        return show(options);
    }
    stop_on_interrupt();
    let (host, port) = server::address(&options.listen)?;
    let tls = options.tls_cert.clone().zip(options.tls_key.clone());
    let settings = Settings {
        host,
        port,
        directory: options.data.clone().map_or_else(data, Ok)?,
        search: env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default(),
        tls: tls.map(|(certificate, key)| Tls { certificate, key, clients: options.tls_client_ca.clone() }),
        max_store: options.max_store.map(|size| size.0),
    };
    server::run(&settings, &STOP, &mut |ready| print!("{}", printable_lines(&ready.to_string())))?;
    Ok(EXIT_FINE)
}

/// `tine hub status`.
fn show(options: &HubStatusOptions) -> Result<u8, Failure> {
    let mut login = login(&options.url, options.login.files());
    if !login.has_secrets() {
        login.user = options.data.clone().or_else(|| data().ok()).and_then(|folder| server::login_of(&folder));
    }
    let status = status::status(&login)?;
    if options.json {
        println!("{}", printable_json(&serde_json::to_string_pretty(&status).expect("it is JSON")));
    } else {
        print!("{}", printable_lines(&status.to_string()));
    }
    Ok(EXIT_FINE)
}

/// The directory for data of this user's server.
fn data() -> Result<PathBuf, Failure> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_DATA_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/share")));
    base.map(|base| base.join("tine/hub")).ok_or_else(|| {
        Failure::usage("there is no home directory for the server's data", "name a directory with --data")
    })
}
