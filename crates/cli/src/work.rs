//! `tine work`, and the hub of an exploration.

use std::env;
use std::num::NonZero;
use std::path::PathBuf;

use tine_engine::config::values::Count;
use tine_engine::remote::{Bounds, Hub, HubError};
use tine_engine::{Config, STOP};
use tine_remote::worker::{self, Settings};
use tine_remote::{AllowedKeys, Login, selector};

use crate::explore::stop_on_interrupt;
use crate::failure::{EXIT_FINE, Failure};
use crate::options::WorkOptions;

/// The hub in the settings, if there is one.
pub(crate) fn hub(config: &Config) -> Result<Option<Box<dyn Hub>>, Failure> {
    let Some(login) = login_of(config) else { return Ok(None) };
    match selector::connect(login, config.hub_sign.as_deref()) {
        Ok(hub) => Ok(Some(hub)),
        Err(why) if config.hub_optional => {
            eprintln!("warning: {}; all is done on this machine", tine_report::printable(&why.to_string()));
            Ok(None)
        }
        Err(why) => Err(why.into()),
    }
}

/// Fails if the hub in the settings is required and cannot be used.
pub(crate) fn check(config: &Config) -> Result<(), Failure> {
    match login_of(config) {
        Some(login) if !config.hub_optional => Ok(selector::check(&login)?),
        _ => Ok(()),
    }
}

fn login_of(config: &Config) -> Option<Login> {
    let Config { hub, hub_creds, hub_nkey, hub_ca, hub_cert, hub_key, .. } = config;
    Some(login(hub.as_ref()?, [hub_creds, hub_nkey, hub_ca, hub_cert, hub_key]))
}

/// Login data of options and of the environment, whose variables are those of other NATS clients.
pub(crate) fn login(url: &str, files: [&Option<PathBuf>; 5]) -> Login {
    let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    let user = variable("NATS_USER").zip(variable("NATS_PASSWORD"));
    let [creds, nkey, ca, cert, key] = files.map(Clone::clone);
    Login { url: url.to_owned(), user, token: variable("NATS_TOKEN"), creds, nkey, ca, cert, key }
}

/// `tine work`: serves explorations of other machines.
pub(crate) fn work(options: &WorkOptions) -> Result<u8, Failure> {
    stop_on_interrupt();
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get) as u64;
    let jobs = options.jobs.unwrap_or(Count(processors.min(1024)));
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let settings = Settings {
        name: format!("{}/{}", machine.trim(), std::process::id()),
        bounds: Bounds { jobs, memory: options.memory, allow: options.allow },
        allowed: options.allow_key.as_deref().map(AllowedKeys::read).transpose()?,
        falsify: None,
        login: login(&options.url, options.login.files()),
    };
    worker::work(settings, &STOP, &mut |event| eprintln!("{}", tine_report::printable(&event.to_string())))?;
    Ok(EXIT_FINE)
}

impl From<HubError> for Failure {
    fn from(why: HubError) -> Failure {
        Failure::usage(why.to_string(), why.help)
    }
}
