//! The locale of a program. It depends on the settings, not on the user's environment.
//!
//! `LANG` has the locale, and no other locale variable is set. An environment variable that is an input has precedence,
//! as for any program.

use std::process::Command;

use crate::config::values::Locale;

/// Other locale variables.
const OTHERS: [&str; 14] = [
    "LANGUAGE",
    "LC_ALL",
    "LC_ADDRESS",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_IDENTIFICATION",
    "LC_MEASUREMENT",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NAME",
    "LC_NUMERIC",
    "LC_PAPER",
    "LC_TELEPHONE",
    "LC_TIME",
];

impl Locale {
    /// Environment variables with their values; `None` for those that must not be set.
    pub(crate) fn variables(self) -> Vec<(&'static str, Option<String>)> {
        let others = OTHERS.into_iter().map(|name| (name, None));
        others.chain([("LANG", Some(self.name().to_owned()))]).collect()
    }

    /// Sets the variables for a program.
    pub fn set(self, command: &mut Command) {
        for name in OTHERS {
            command.env_remove(name);
        }
        command.env("LANG", self.name());
    }

    /// Shell commands that set the variables.
    pub fn lines(self) -> String {
        format!("unset {}\nexport LANG={}\n", OTHERS.join(" "), self.name())
    }
}
