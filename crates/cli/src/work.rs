//! `tine work`, and the hub of an exploration.

use std::num::NonZero;

use tine_engine::config::values::Count;
use tine_engine::remote::{Bounds, Hub, HubError};
use tine_engine::{Config, STOP};
use tine_remote::worker::{self, Event, Settings};
use tine_remote::{AllowedKeys, Login, selector};

use crate::explore::stop_on_interrupt;
use crate::failure::{EXIT_FINE, Failure};
use crate::options::WorkOptions;

/// The hub in the settings, if there is one.
pub(crate) fn hub(config: &Config) -> Result<Option<Box<dyn Hub>>, Failure> {
    let Some(url) = &config.hub else { return Ok(None) };
    let login = Login {
        url: url.clone(),
        creds: config.hub_creds.clone(),
        nkey: config.hub_nkey.clone(),
        ca: config.hub_ca.clone(),
    };
    match selector::connect(login, config.hub_sign.as_deref()) {
        Ok(hub) => Ok(Some(hub)),
        Err(why) if config.hub_optional => {
            eprintln!("warning: {}; all is done on this machine", tine_report::printable(&why.to_string()));
            Ok(None)
        }
        Err(why) => Err(why.into()),
    }
}

/// `tine work`: serves explorations of other machines.
pub(crate) fn work(options: &WorkOptions) -> Result<u8, Failure> {
    stop_on_interrupt();
    let login = Login {
        url: options.url.clone(),
        creds: options.hub_creds.clone(),
        nkey: options.hub_nkey.clone(),
        ca: options.hub_ca.clone(),
    };
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get) as u64;
    let jobs = options.jobs.unwrap_or(Count(processors.min(1024)));
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let settings = Settings {
        name: format!("{}/{}", machine.trim(), std::process::id()),
        bounds: Bounds { jobs, memory: options.memory, allow: options.allow },
        allowed: options.allow_key.as_deref().map(AllowedKeys::read).transpose()?,
        falsify: None,
        login,
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
