//! The environment of a program as inputs: arguments, standard input, files, variables, the time, failing calls.
//!
//! Settings become the string that `models/interfaces/start.c` reads, one line each.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use serde::de::Deserializer;
use serde::{Deserialize, Serialize, Serializer};

use super::Config;
use super::values::{Count, stored_as_text, text};

/// Maximum number of characters or bytes of one input.
pub const MAX_LEN: u64 = 65536;
/// Maximum number of arguments.
const MAX_ARGUMENTS: u64 = 16;
/// Maximum number of files, including standard input: the capacity of the file layer (`models/posix/files.h`).
const MAX_FILES: usize = 16;
/// Maximum number of failing calls in a run. Each is an input, and many failures in one run show little.
const MAX_FAILURES: u32 = 9;

stored_as_text!(Arguments, Named, Variable, Failing);

fn length(text: &str) -> Result<Count<1, MAX_LEN>, String> {
    let invalid = |_| format!("invalid length `{text}` (expected a number from 1 to {MAX_LEN})");
    text.trim().parse().map_err(invalid)
}

/// `N,LEN`: up to N arguments of up to LEN characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arguments {
    count: Count<1, MAX_ARGUMENTS>,
    len: Count<1, MAX_LEN>,
}

impl FromStr for Arguments {
    type Err = String;

    fn from_str(text: &str) -> Result<Arguments, String> {
        let (count, len) = text.split_once(',').ok_or("expected a number of arguments and a maximum length: N,LEN")?;
        Ok(Arguments { count: count.trim().parse()?, len: length(len)? })
    }
}

impl Display for Arguments {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.count, self.len)
    }
}

/// `NAME,LEN`: a file of up to LEN bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    name: String,
    len: Count<1, MAX_LEN>,
}

impl FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Named, String> {
        let (name, len) = text.rsplit_once(',').ok_or("expected a name and a maximum length: NAME,LEN")?;
        if name.is_empty() || name.contains('\n') {
            return Err(format!("invalid name {name:?}"));
        }
        // Remove `./`, because the program probably opens the file without it.
        let name = name.strip_prefix("./").unwrap_or(name);
        Ok(Named { name: name.to_owned(), len: length(len)? })
    }
}

impl Display for Named {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.name, self.len)
    }
}

/// `NAME,LEN`: an environment variable of up to LEN characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable(Named);

impl FromStr for Variable {
    type Err = String;

    fn from_str(text: &str) -> Result<Variable, String> {
        let named: Named = text.parse()?;
        if named.name.contains('=') {
            return Err(format!("invalid variable name `{}`", named.name));
        }
        Ok(Variable(named))
    }
}

impl Display for Variable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// `[alloc|files,]N`: up to N calls in a run fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failing {
    count: u32,
    /// A bit for each of `tine_trace::plan::FAILING`, from the second on.
    kinds: u32,
}

const ALLOC: u32 = 0b0_0010;
const FILES: u32 = 0b1_1100;

impl FromStr for Failing {
    type Err = String;

    fn from_str(text: &str) -> Result<Failing, String> {
        let (kinds, count) = match text.split_once(',') {
            None => (ALLOC | FILES, text),
            Some(("alloc", count)) => (ALLOC, count),
            Some(("files", count)) => (FILES, count),
            Some((other, _)) => return Err(format!("invalid kind of call `{other}` (expected alloc or files)")),
        };
        match count.parse() {
            Ok(count) if count <= MAX_FAILURES => Ok(Failing { count, kinds }),
            _ => Err(format!("invalid number of failing calls `{count}` (expected a number from 0 to {MAX_FAILURES})")),
        }
    }
}

impl Display for Failing {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.kinds {
            ALLOC => write!(f, "alloc,{}", self.count),
            FILES => write!(f, "files,{}", self.count),
            _ => write!(f, "{}", self.count),
        }
    }
}

impl Failing {
    /// The line for the program, if any call may fail.
    pub(crate) fn line(self) -> Option<String> {
        let Failing { count, kinds } = self;
        (count > 0).then(|| format!("fail {count} {kinds}\n"))
    }
}

impl Config {
    /// Maximum size of the input for fuzzers: standard input, otherwise the first file.
    pub fn capacity(&self) -> Option<u64> {
        self.sym_stdin.or(self.sym_file.first().map(|file| file.len)).map(Count::get)
    }

    /// The string for the program; `None` if no part of the environment is an input. Files come first and arguments
    /// last.
    pub fn environment(&self) -> Option<String> {
        let stdin = self.sym_stdin.map(|len| format!("stdin {len}\n"));
        let files = self.sym_file.iter().map(|file| format!("file {} {}\n", file.len, file.name));
        let variables = self.sym_env.iter().map(|Variable(named)| format!("env {} {}\n", named.len, named.name));
        let time = self.sym_time.then(|| "time\n".to_owned());
        let random = self.sym_random.then(|| "random\n".to_owned());
        let arguments = self.sym_argv.map(|Arguments { count, len }| format!("argv {count} {len}\n"));
        let fail = self.sym_fail.line();
        let lines =
            stdin.into_iter().chain(files).chain(variables).chain(time).chain(random).chain(fail).chain(arguments);
        let text: String = lines.collect();
        (!text.is_empty()).then_some(text)
    }

    /// The reason why the environment cannot be an input.
    pub(super) fn check_environment(&self) -> Result<(), String> {
        if self.sym_file.len() + usize::from(self.sym_stdin.is_some()) > MAX_FILES {
            return Err(format!("at most {MAX_FILES} files can be inputs, standard input among them"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_lengths() {
        assert_eq!("./a,b,3".parse(), Ok(Named { name: "a,b".into(), len: Count(3) }));
        for wrong in ["a", ",3", "a,", "a,0", "a,x", "a,65537", "a\nstdin 3,4"] {
            assert!(wrong.parse::<Named>().is_err(), "{wrong:?}");
        }
        assert!("A=B,3".parse::<Variable>().is_err());
        assert_eq!("2,8".parse(), Ok(Arguments { count: Count(2), len: Count(8) }));
        for wrong in ["2", "0,8", "17,8", "2,0", "a,b"] {
            assert!(wrong.parse::<Arguments>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn kinds_and_numbers_of_failing_calls() {
        let line = |text: &str| text.parse::<Failing>().expect("a value").line();
        assert_eq!(line("0"), None);
        assert_eq!(line("1"), Some("fail 1 30\n".to_owned()));
        assert_eq!(line("alloc,2"), Some("fail 2 2\n".to_owned()));
        assert_eq!(line("files,9"), Some("fail 9 28\n".to_owned()));
        for wrong in ["", "-1", "x", "10", "1.5", "disk,1", "alloc,", "alloc", "1,alloc"] {
            assert!(wrong.parse::<Failing>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn files_come_first() {
        let config = Config {
            sym_argv: Some("2,8".parse().expect("arguments")),
            sym_stdin: Some(Count(16)),
            sym_file: vec!["a file,3".parse().expect("a file")],
            sym_env: vec!["HOME,4".parse().expect("a variable")],
            sym_time: true,
            ..Config::default()
        };
        assert_eq!(config.environment().as_deref(), Some("stdin 16\nfile 3 a file\nenv 4 HOME\ntime\nargv 2 8\n"));
        assert_eq!(Config::default().environment(), None);
    }
}
