//! Z3, the second SMT solver: the program `z3`, in a process of its own, spoken to in SMT-LIB text.
//!
//! Z3 ends its process when it is out of memory, and has been seen to crash and to forget the time. Here that is an answer to
//! one query, *unknown* with its reason; the next one gets a new process.

mod process;
#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::time::{Duration, Instant};

use process::{End, Process, Wait};
use tine_expr::smt::text::{Benchmark, name};
use tine_expr::{InputView, Reason, TermId, TermPool};

use crate::smt::{Backend, Found};
use crate::{Error, Limits};

const PROGRAM: &str = "z3";
/// Printed after the replies to what was asked.
const LAST: &str = "tine-last";
/// Z3's exit status when it is out of memory.
const OUT_OF_MEMORY: i32 = 101;
/// Besides twice the time of a query, for a process that has to be started first on a busy machine.
const GRACE: Duration = Duration::from_millis(500);
/// What Z3 does not count as its memory: its code, stacks, what the allocator sets aside for each thread.
const UNCOUNTED_MB: u64 = 1024;

pub(crate) struct Z3 {
    program: OsString,
    limits: Limits,
    /// Started when it is needed, and again after it has ended.
    process: Option<Process>,
    /// How long the processes before that one have computed.
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

    /// Runs SMT-LIB commands and gives back what they print.
    pub(crate) fn run(&mut self, commands: &str) -> Result<String, Reason> {
        if self.limits.is_stopped() {
            return Err(Reason::Timeout);
        }
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start().map_err(|why| Reason::Crashed(format!("Z3 cannot be started: {why}")))?,
        };
        let wait = self.wait();
        let result = process.ask(&format!("{commands}\n(echo \"{LAST}\")\n"), LAST, wait);
        match result {
            Ok(printed) => {
                self.process = Some(process);
                Ok(printed)
            }
            Err(end) => {
                self.computed += process.computed();
                Err(reason(end))
            }
        }
    }

    /// For a reply to what is asked now. Z3 minds its own time, but not always; and when all is to end, nobody waits twice as long.
    fn wait(&self) -> Wait {
        let (now, time) = (Instant::now(), self.limits.time());
        let end = self.limits.until.map(|end| end.max(now + time));
        let late = now + time.saturating_mul(2);
        Wait { until: end.map_or(late, |end| end.min(late)) + GRACE, stop: self.limits.stop }
    }

    fn start(&self) -> std::io::Result<Process> {
        let mut arguments = vec!["-in".to_owned(), "-smt2".to_owned()];
        let memory_mb = self.limits.memory_mb;
        if memory_mb > 0 {
            arguments.push(format!("-memory:{memory_mb}"));
        }
        let bytes = (memory_mb > 0).then(|| memory_mb.saturating_mul(2).saturating_add(UNCOUNTED_MB) << 20);
        Process::start(&self.program, &arguments, bytes)
    }

    /// The next query gets a new process.
    fn end(&mut self) {
        if let Some(process) = self.process.take() {
            self.computed += process.computed();
        }
    }

    fn try_solve(&mut self, benchmark: &Benchmark) -> Result<Found, Reason> {
        // No `set-logic`: Z3's default solver does better than the ones it picks by logic.
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
        // ((i0_0_32 #x00000005) …), in the order asked.
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
        // Each query is told from the beginning anyway.
    }

    fn elsewhere(&self) -> Duration {
        self.computed + self.process.as_ref().map_or(Duration::ZERO, Process::computed)
    }
}

/// Without Z3 there is no solver of it.
pub(crate) fn require() -> Result<(), Error> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    if is_in(&path, PROGRAM) { Ok(()) } else { Err(Error::NoZ3) }
}

/// Whether a folder of `path` has this program.
fn is_in(path: &OsStr, program: &str) -> bool {
    let runs = |file: &Path| file.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0);
    std::env::split_paths(path).any(|folder| runs(&folder.join(program)))
}

/// What an end means to the query that it was the end of.
fn reason(end: End) -> Reason {
    let (status, printed) = match end {
        End::Late => return Reason::Timeout,
        End::Ended(status, printed) => (status, printed),
    };
    if status.code() == Some(OUT_OF_MEMORY) || is_out_of_memory(&printed) {
        return Reason::Memory;
    }
    let how = match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (None, signal) => format!("signal {}", signal.unwrap_or_default()),
    };
    let last = printed.lines().rfind(|line| !line.trim().is_empty());
    Reason::Crashed(match last {
        Some(last) => format!("Z3 ended with {how}: {}", short(last)),
        None => format!("Z3 ended with {how}"),
    })
}

/// What Z3 printed that is no answer.
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

fn is_out_of_memory(printed: &str) -> bool {
    ["out of memory", "max. memory", "bad_alloc"].iter().any(|words| printed.contains(words))
}

/// As much of a text as a message has room for.
fn short(text: &str) -> String {
    const N_CHARACTERS: usize = 200;
    text.trim().chars().take(N_CHARACTERS).collect()
}

/// A bit-vector constant as SMT-LIB writes it.
fn literal(word: &str) -> Option<u128> {
    match (word.strip_prefix("#x"), word.strip_prefix("#b")) {
        (Some(digits), _) => u128::from_str_radix(digits, 16).ok(),
        (_, Some(digits)) => u128::from_str_radix(digits, 2).ok(),
        _ => None,
    }
}
