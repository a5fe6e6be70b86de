//! `tine work`, and the hub of an exploration.

use std::env;
use std::num::NonZero;

use tine_engine::config::values::Count;
use tine_engine::remote::{Bounds, Hub, HubError};
use tine_engine::{Config, STOP};
use tine_remote::worker::{self, Event, Settings};
use tine_remote::{AllowedKeys, Login, selector};

use crate::explore::stop_on_interrupt;
use crate::failure::{EXIT_FINE, Failure};
use crate::options::{LoginOptions, WorkOptions};

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
    Some(Login {
        creds: config.hub_creds.clone(),
        nkey: config.hub_nkey.clone(),
        ca: config.hub_ca.clone(),
        cert: config.hub_cert.clone(),
        key: config.hub_key.clone(),
        ..of_environment(config.hub.as_ref()?)
    })
}

/// Login data of options, or of the environment if the address has none.
pub(crate) fn login(url: &str, options: &LoginOptions) -> Login {
    Login {
        creds: options.hub_creds.clone(),
        nkey: options.hub_nkey.clone(),
        ca: options.hub_ca.clone(),
        cert: options.hub_cert.clone(),
        key: options.hub_key.clone(),
        ..of_environment(url)
    }
}

/// The variables are those of other NATS clients.
fn of_environment(url: &str) -> Login {
    let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    let user = variable("NATS_USER").zip(variable("NATS_PASSWORD"));
    Login { url: url.to_owned(), user, token: variable("NATS_TOKEN"), ..Login::default() }
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
        login: login(&options.url, &options.login),
    };
    let (name, place) = (settings.name.clone(), settings.login.place());
    worker::work(settings, &STOP, &mut |event| {
        let text = match event {
            Event::Connected => format!("{name} works for the hub at {place}"),
            Event::Joined(target) => format!("serving `{target}`"),
            Event::Left(target, n_orders) => format!("`{target}` is over, after {n_orders} orders"),
            Event::Refused(target, why) => format!("`{target}` is not served: {why}"),
        };
        eprintln!("{}", tine_report::printable(&text));
    })?;
    Ok(EXIT_FINE)
}

impl From<HubError> for Failure {
    fn from(why: HubError) -> Failure {
        Failure::usage(why.to_string(), why.help)
    }
}
