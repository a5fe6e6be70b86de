//! The locale that a program is explored, replayed and exported in: the one of its options, not that of who runs tine.
//!
//! It is in `LANG`, and no other variable of locales is set: one that is an input comes before it, as for any program.

use std::process::Command;

use clap::ValueEnum;

/// Locales that there are models for (`models/libc/setlocale.c`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Locale {
    /// A character is a byte.
    #[value(name = "C")]
    C,
    /// Characters are Unicode's, the rest as in C.
    #[value(name = "C.UTF-8")]
    Utf8,
}

/// What else programs look at.
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
    pub(crate) fn name(self) -> &'static str {
        match self {
            Locale::C => "C",
            Locale::Utf8 => "C.UTF-8",
        }
    }

    /// Variables and their values; none for those that are not set.
    pub(crate) fn variables(self) -> Vec<(&'static str, Option<String>)> {
        let others = OTHERS.into_iter().map(|name| (name, None));
        others.chain([("LANG", Some(self.name().to_owned()))]).collect()
    }

    pub(crate) fn set(self, command: &mut Command) {
        for name in OTHERS {
            command.env_remove(name);
        }
        command.env("LANG", self.name());
    }

    /// The same for a shell.
    pub(crate) fn lines(self) -> String {
        format!("unset {}\nexport LANG={}\n", OTHERS.join(" "), self.name())
    }
}
