//! The locale of a program: that of the settings, not that of the user.
//!
//! It is in `LANG`, and no other variable of locales is set. A variable that is an input has precedence, as for any program.

use std::process::Command;

use crate::config::values::Locale;

/// Other variables that programs read.
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
    /// Variables and their values; none for those that are not set.
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

    /// Sets the variables in a shell script.
    pub fn lines(self) -> String {
        format!("unset {}\nexport LANG={}\n", OTHERS.join(" "), self.name())
    }
}
