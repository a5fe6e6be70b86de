//! Values of settings. Each is a string on the command line, in `tine.toml` and in a session, and is parsed only here.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use std::time::Duration;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use tine_executor::Model;
use tine_solver::{Backend, TierName};
use tine_trace::check::{Check, Checks};

/// A setting from a file or a session: a string, or a number or Boolean that is converted to one.
struct Text<T>(std::marker::PhantomData<T>);

impl<T: FromStr<Err: Display>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a string or a number")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<T, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<T, E> {
        self.visit_str(&number.to_string())
    }
}

/// `#[serde(with = "text")]`: stores a value as its string.
pub(super) mod text {
    use super::{Deserializer, Display, FromStr, Serializer, Text};

    pub(crate) fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(crate) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(text: D) -> Result<T, D::Error> {
        text.deserialize_any(Text(std::marker::PhantomData))
    }
}

/// Implements storage as a string.
macro_rules! stored_as_text {
    ($($name:ty),*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                text::serialize(self, serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                text::deserialize(deserializer)
            }
        }
    )*};
}
pub(super) use stored_as_text;

stored_as_text!(Time, TimeLimit, Size, Memory, Switch, Tier, Selected);

impl<const MIN: u64, const MAX: u64> Serialize for Count<MIN, MAX> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de, const MIN: u64, const MAX: u64> Deserialize<'de> for Count<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text::deserialize(deserializer)
    }
}

/// A number from `MIN` to `MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count<const MIN: u64, const MAX: u64>(pub u64);

impl<const MIN: u64, const MAX: u64> Count<MIN, MAX> {
    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl<const MIN: u64, const MAX: u64> FromStr for Count<MIN, MAX> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(number) if (MIN..=MAX).contains(&number) => Ok(Count(number)),
            _ if MAX == u64::MAX => Err(format!("invalid number `{text}` (expected {MIN} or more)")),
            _ => Err(format!("invalid number `{text}` (expected a number from {MIN} to {MAX})")),
        }
    }
}

impl<const MIN: u64, const MAX: u64> Display for Count<MIN, MAX> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A positive duration: `500ms`, `30s`, `5m`, `1h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time(pub Duration);

impl Time {
    pub(super) const fn seconds(seconds: u64) -> Time {
        Time(Duration::from_secs(seconds))
    }
}

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Time, String> {
        let invalid = || format!("invalid duration `{text}` (expected e.g. 500ms, 30s, 5m, 1h)");
        let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let number: f64 = number.parse().map_err(|_| invalid())?;
        let seconds = match unit {
            "ms" => number / 1e3,
            "s" => number,
            "m" | "min" => number * 60.0,
            "h" => number * 3600.0,
            _ => return Err(format!("duration `{text}` has no unit (expected e.g. 500ms, 30s, 5m, 1h)")),
        };
        if seconds <= 0.0 {
            return Err("the duration must be positive".to_owned());
        }
        Duration::try_from_secs_f64(seconds).map(Time).map_err(|_| format!("duration `{text}` is too long"))
    }
}

impl Display for Time {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs_f64();
        if seconds >= 60.0 && seconds % 60.0 == 0.0 {
            write!(f, "{}m", seconds / 60.0)
        } else if seconds >= 1.0 && seconds % 1.0 == 0.0 {
            write!(f, "{seconds}s")
        } else {
            write!(f, "{}ms", seconds * 1e3)
        }
    }
}

/// A time limit, or `none`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimit(pub Option<Duration>);

impl FromStr for TimeLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeLimit, String> {
        if text == "none" { Ok(TimeLimit(None)) } else { text.parse().map(|Time(time)| TimeLimit(Some(time))) }
    }
}

impl Display for TimeLimit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("none"),
            Some(time) => Time(time).fmt(f),
        }
    }
}

/// A positive number of bytes: `256M`, `1G`, `4096`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u64);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let upper = text.trim().to_ascii_uppercase();
        let upper = upper.strip_suffix('B').unwrap_or(&upper);
        let (number, factor) = match upper.chars().last() {
            Some('K') => (&upper[..upper.len() - 1], 1 << 10),
            Some('M') => (&upper[..upper.len() - 1], 1 << 20),
            Some('G') => (&upper[..upper.len() - 1], 1 << 30),
            _ => (upper, 1),
        };
        let number: u64 = number.parse().map_err(|_| format!("invalid size `{text}` (expected e.g. 256M, 1G)"))?;
        match number.checked_mul(factor) {
            Some(0) | None => Err(format!("invalid size `{text}` (must be between 1 byte and 16 EiB)")),
            Some(bytes) => Ok(Size(bytes)),
        }
    }
}

impl Display for Size {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let units = [(1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K"), (1, "")];
        let (factor, unit) = units.into_iter().find(|(factor, _)| self.0.is_multiple_of(*factor)).unwrap_or((1, ""));
        write!(f, "{}{unit}", self.0 / factor)
    }
}

/// A memory limit, and a pointer model for the solver: `1G`, `typed`, `1G,typed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    pub size: Size,
    /// The model of pointers.
    pub model: Model,
}

const MODELS: [(&str, Model); 3] =
    [("typed", Model::Typed), ("primitive", Model::Primitive), ("logical", Model::Logical)];

impl Default for Memory {
    fn default() -> Memory {
        Memory { size: Size(1 << 30), model: Model::default() }
    }
}

impl FromStr for Memory {
    type Err = String;

    fn from_str(text: &str) -> Result<Memory, String> {
        let mut memory = Memory::default();
        for part in text.split(',') {
            match MODELS.iter().find(|(name, _)| *name == part) {
                Some((_, model)) => memory.model = *model,
                None => {
                    let is_number = part.trim().starts_with(|first: char| first.is_ascii_digit());
                    let neither = |_| {
                        format!("invalid value `{part}` (expected a size such as 256M, or typed, primitive or logical)")
                    };
                    memory.size = if is_number { part.parse()? } else { part.parse().map_err(neither)? };
                }
            }
        }
        Ok(memory)
    }
}

impl Display for Memory {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.size.fmt(f)?;
        match MODELS.iter().find(|(_, model)| *model == self.model) {
            Some((name, _)) => write!(f, ",{name}"),
            None => Ok(()),
        }
    }
}

/// `on` or `off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch(pub bool);

impl FromStr for Switch {
    type Err = String;

    fn from_str(text: &str) -> Result<Switch, String> {
        match text {
            "on" => Ok(Switch(true)),
            "off" => Ok(Switch(false)),
            _ => Err(format!("invalid switch `{text}` (expected on or off)")),
        }
    }
}

impl Display for Switch {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0 { "on" } else { "off" })
    }
}

/// A tier of the solver to leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tier(pub TierName);

impl FromStr for Tier {
    type Err = String;

    fn from_str(text: &str) -> Result<Tier, String> {
        text.parse().map(Tier)
    }
}

impl Display for Tier {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

/// The enabled checks of an exploration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selected(pub Checks);

impl FromStr for Selected {
    type Err = String;

    fn from_str(text: &str) -> Result<Selected, String> {
        Checks::parse(text).map(Selected).map_err(|name| {
            let names = Check::ALL.iter().map(|check| check.name()).chain(["default", "all"]);
            let nearest = names.min_by_key(|known| strsim::damerau_levenshtein(name, known)).unwrap_or_default();
            format!("`{name}` is not a check; did you mean `{nearest}`? (`tine checks` lists all)")
        })
    }
}

impl Display for Selected {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Declares settings with a few named values.
macro_rules! named {
    ($($(#[$doc:meta])* $type:ident { $($(#[$note:meta])* $variant:ident $name:literal)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum $type { $($(#[$note])* #[serde(rename = $name)] $variant),* }

        impl $type {
            /// All names, in the order of the values.
            pub const NAMES: &[&str] = &[$($name),*];

            /// Name of the value.
            pub const fn name(self) -> &'static str {
                match self { $($type::$variant => $name),* }
            }
        }
    )*};
}

named! {
    /// Values of memory that no branch has constrained.
    Init {
        Zero "zero"
        /// Random values from the seed; zeros if the seed is 0.
        Random "random"
    }
    /// Origin of the objects that pointers in the input point to.
    Make {
        /// Invented memory.
        Raw "raw"
        /// Calls of the unit's functions.
        Calls "calls"
        /// Invented memory. Calls then show which errors are reachable.
        Both "both"
    }
    /// Cases that the session keeps at the end.
    Keep {
        /// The smallest set that keeps the coverage, and one case per error.
        Suite "suite"
        /// One case per path.
        All "all"
    }
    /// Results that cause exit code 1. Errors do by default.
    FailOn {
        Error "error"
        /// The verdict is incomplete.
        Incomplete "incomplete"
        /// A function requires something of its caller.
        Requirement "requirement"
        /// Only errors and requirements that the baseline does not have.
        New "new"
    }
    /// The SMT solver at the end of the chain.
    Solver {
        Bitwuzla "bitwuzla"
        /// The program `z3`, which must be installed.
        Z3 "z3"
        /// Bitwuzla, and Z3 for queries that it does not answer.
        Portfolio "portfolio"
    }
    /// Parts of the sandbox that are required.
    RequiredSandbox {
        /// All of them.
        Full "full"
    }
    /// Locales with models (`models/libc/setlocale.c`).
    Locale {
        /// A character is a byte.
        C "C"
        /// Characters are those of Unicode. Everything else is as in C.
        Utf8 "C.UTF-8"
    }
}

impl FromStr for FailOn {
    type Err = String;

    fn from_str(text: &str) -> Result<FailOn, String> {
        let all = [FailOn::Error, FailOn::Incomplete, FailOn::Requirement, FailOn::New];
        all.into_iter()
            .find(|result| result.name() == text)
            .ok_or_else(|| format!("invalid result `{text}` (expected {})", FailOn::NAMES.join(", ")))
    }
}

impl Solver {
    pub(crate) fn backend(self) -> Backend {
        match self {
            Solver::Bitwuzla => Backend::Bitwuzla,
            Solver::Z3 => Backend::Z3,
            Solver::Portfolio => Backend::Portfolio,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let time = |text: &str| text.parse::<Time>().map(|time| time.0);
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(time("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(time("2m"), Ok(Duration::from_secs(120)));
        for wrong in ["30", "0s", "fast", "1e99h"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_may_have_units() {
        let size = |text: &str| text.parse::<Size>().map(|size| size.0);
        assert_eq!(size("1G"), Ok(1 << 30));
        assert_eq!(size("256mb"), Ok(256 << 20));
        assert_eq!(size("4096"), Ok(4096));
        assert!(size("0").is_err());
        assert!(size("lots").is_err());
    }

    #[test]
    fn values_are_printed_as_they_are_read() {
        for text in ["500ms", "1.5ms", "30s", "5m"] {
            assert_eq!(text.parse::<Time>().expect("a time").to_string(), text);
        }
        for text in ["none", "30s"] {
            assert_eq!(text.parse::<TimeLimit>().expect("a limit").to_string(), text);
        }
        for text in ["1G", "256M,typed", "4097,logical"] {
            assert_eq!(text.parse::<Memory>().expect("a size").to_string(), text);
        }
    }
}
