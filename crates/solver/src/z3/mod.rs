//! Z3, the second SMT solver: the program `z3` in a separate process, which reads and prints SMT-LIB text.
//!
//! Z3 ends its process when memory is exhausted, and sometimes crashes or exceeds its time limit. The query is then
//! *unknown*, with the reason, and the next one gets a new process.

#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use tine_expr::smt::text::{Benchmark, name};
use tine_expr::{InputView, Reason, TermId, TermPool};

use crate::process::{self, Process, Wait, is_out_of_memory, short};
use crate::smt::{Backend, Found};
use crate::{Error, Limits};

const PROGRAM: &str = "z3";
/// Marker that is printed after the replies to a request.
const LAST: &str = "tine-last";
/// Memory that Z3 does not count: code, stacks, and memory that the allocator reserves for each thread.
const UNCOUNTED_MB: u64 = 1024;

pub(crate) struct Z3 {
    program: OsString,
    limits: Limits,
    /// The process, which is started when needed, and again after it has ended.
    pub(crate) process: Option<Process>,
    /// CPU time of earlier processes.
    computed: Duration,
}

impl Z3 {
    pub(crate) fn open(limits: Limits) -> Result<Self, Error> {
        require()?;
        Ok(Self::new(PROGRAM.into(), limits))
    }

    fn new(program: OsString, limits: Limits) -> Self {
        Self { program, limits, process: None, computed: Duration::ZERO }
    }

    /// Runs SMT-LIB commands and returns what they print.
    pub(crate) fn run(&mut self, commands: &str) -> Result<String, Reason> {
        if self.limits.is_stopped() {
            return Err(Reason::Timeout);
        }
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start().map_err(|why| Reason::Crashed(format!("Z3 cannot be started: {why}")))?,
        };
        let wait = Wait::new(&self.limits, self.limits.time());
        let request = format!("{commands}\n(echo \"{LAST}\")\n");
        match process.ask(request.as_bytes(), wait, replies) {
            Ok(printed) => {
                self.process = Some(process);
                Ok(printed)
            }
            Err(end) => {
                self.computed += process.computed();
                Err(end.reason("Z3"))
            }
        }
    }

    fn start(&self) -> std::io::Result<Process> {
        let mut command = Command::new(&self.program);
        command.args(["-in", "-smt2"]);
        let memory_mb = self.limits.memory_mb;
        if memory_mb > 0 {
            command.arg(format!("-memory:{memory_mb}"));
        }
        let bytes = (memory_mb > 0).then(|| memory_mb.saturating_mul(2).saturating_add(UNCOUNTED_MB) << 20);
        process::restrict(&mut command, bytes);
        Process::start(command)
    }

    /// Ends the process. The next query gets a new one.
    fn end(&mut self) {
        if let Some(process) = self.process.take() {
            self.computed += process.computed();
        }
    }

    fn try_solve(&mut self, benchmark: &Benchmark) -> Result<Found, Reason> {
        // No `set-logic`, because Z3's default solver is better than those it selects by logic.
        let timeout_ms = self.limits.time().as_millis();
        let printed =
            self.run(&format!("(reset)\n(set-option :timeout {timeout_ms})\n{}(check-sat)", benchmark.body))?;
        match printed.trim() {
            "unsat" => Ok(Found::Unsat(Vec::new())),
            "sat" => self.model(&benchmark.views).map(Found::Sat),
            "unknown" => Err(self.why_unknown()?),
            other => Err(complaint(other)),
        }
    }

    fn model(&mut self, views: &[InputView]) -> Result<Vec<(InputView, u128)>, Reason> {
        if views.is_empty() {
            return Ok(Vec::new());
        }
        let names: Vec<String> = views.iter().map(|&view| name(view)).collect();
        let printed = self.run(&format!("(get-value ({}))", names.join(" ")))?;
        let mut words = printed.split(|c: char| c.is_whitespace() || c == '(' || c == ')').filter(|w| !w.is_empty());
        // The reply is ((i0_0_32 #x00000005) …), in the requested order.
        let mut value = |view: InputView, name: &String| {
            (words.next()? == name).then_some(())?;
            Some((view, literal(words.next()?)?))
        };
        let model: Option<_> = views.iter().zip(&names).map(|(&view, name)| value(view, name)).collect();
        model.ok_or_else(|| complaint(&printed))
    }

    fn why_unknown(&mut self) -> Result<Reason, Reason> {
        let reason = self.run("(get-info :reason-unknown)")?;
        Ok(match () {
            () if reason.contains("timeout") || reason.contains("canceled") => Reason::Timeout,
            () if reason.contains("mem") => Reason::Memory,
            () => Reason::GaveUp,
        })
    }
}

impl Backend for Z3 {
    fn last_limits(&self) -> Limits {
        self.limits
    }

    fn solve(&mut self, pool: &TermPool, terms: &[TermId]) -> Found {
        let benchmark = match Benchmark::new(pool, terms) {
            Ok(benchmark) => benchmark,
            Err(unsupported) => return Found::Unknown(Reason::Unsupported(unsupported.0)),
        };
        self.try_solve(&benchmark).unwrap_or_else(|reason| {
            if !matches!(reason, Reason::Timeout | Reason::GaveUp) {
                self.end();
            }
            Found::Unknown(reason)
        })
    }

    fn forget(&mut self) {
        // Nothing to forget, because each query is sent completely.
    }

    fn elsewhere(&self) -> Duration {
        self.computed + self.process.as_ref().map_or(Duration::ZERO, Process::computed)
    }
}

/// Checks that Z3 is installed.
pub(crate) fn require() -> Result<(), Error> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    if is_in(&path, PROGRAM) { Ok(()) } else { Err(Error::NoZ3) }
}

/// True if a directory of `path` contains this program.
fn is_in(path: &OsStr, program: &str) -> bool {
    let runs = |file: &Path| file.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0);
    std::env::split_paths(path).any(|folder| runs(&folder.join(program)))
}

/// Returns the replies to a request if all have arrived: the text before the last line.
fn replies(printed: &[u8]) -> Option<String> {
    let before = printed.strip_suffix(b"\n")?.strip_suffix(LAST.as_bytes())?;
    (before.is_empty() || before.ends_with(b"\n")).then(|| String::from_utf8_lossy(before).into_owned())
}

/// Returns the reason for a printed text that is not an answer.
fn complaint(printed: &str) -> Reason {
    if is_out_of_memory(printed) {
        return Reason::Memory;
    }
    match printed.split_once("(error") {
        Some((_, error)) => {
            let error = error.lines().next().unwrap_or_default();
            Reason::Crashed(format!("Z3: {}", short(error.trim_end_matches(')'))))
        }
        None => Reason::Crashed(format!("Z3 printed {:?}", short(printed))),
    }
}

/// Parses a bit-vector constant of SMT-LIB.
fn literal(word: &str) -> Option<u128> {
    match (word.strip_prefix("#x"), word.strip_prefix("#b")) {
        (Some(digits), _) => u128::from_str_radix(digits, 16).ok(),
        (_, Some(digits)) => u128::from_str_radix(digits, 2).ok(),
        _ => None,
    }
}
