//! Suggestions after a summary: at most three command lines that would explore more.

use std::time::Duration;

use tine_session::Summary;
use tine_session::summary::{How, Stopped, UndefinedSymbol};
use tine_trace::outcome::ErrorKind;

use crate::Config;
use crate::config::values::Time;

/// Maximum number of suggestions.
const MAX_SUGGESTIONS: usize = 3;

/// Command lines to paste: the current one, each with another option.
pub fn suggestions(summary: &Summary, config: &Config, arguments: &[String]) -> Vec<String> {
    // A resumed session keeps its bounds.
    if arguments.first().is_none_or(|command| !["test", "sequence", "run"].contains(&command.as_str())) {
        return Vec::new();
    }
    options(summary, config).into_iter().take(MAX_SUGGESTIONS).map(|option| with(arguments, &option)).collect()
}

/// Options that remove limits named by the verdict, the most specific first.
fn options(summary: &Summary, config: &Config) -> Vec<Vec<String>> {
    let has = |what: &str| summary.reasons.iter().any(|reason| reason.what.starts_with(what));
    let mut options: Vec<[String; 2]> = Vec::new();
    let mut add = |flag: &str, value: String| options.push([flag.to_owned(), value]);
    let undefined = stubbed(summary);
    // Only explorations of functions have stubs.
    if !undefined.is_empty() && config.function.is_some() {
        add("--stub", undefined.join(","));
    }
    let doubled = |number: u64| (2 * number).max(1).to_string();
    if has("bound reached: --max-elements") {
        add("--max-elements", doubled(config.max_elements.get()));
    }
    if has("bound reached: --max-string") {
        add("--max-string", doubled(config.max_string.get()));
    }
    if has("bound reached: --max-objects") {
        add("--max-objects", doubled(config.max_objects.into()));
    }
    if let (true, Some(calls)) = (has("bound reached: --max-calls"), config.max_calls) {
        add("--max-calls", (calls.get() + 1).to_string());
    }
    if let (Stopped::MaxTime, Some(time)) = (summary.stopped, config.time_limit()) {
        add("--max-time", Time((time * 10).max(Duration::from_secs(1))).to_string());
    }
    if let (Stopped::MaxRuns, Some(runs)) = (summary.stopped, config.max_runs) {
        add("--max-runs", runs.get().saturating_mul(10).to_string());
    }
    options.into_iter().map(Vec::from).collect()
}

/// Functions for which stubs would help: undefined ones that were called, and library functions that inputs flow into.
fn stubbed(summary: &Summary) -> Vec<&str> {
    let is_undefined_called = summary.errors.iter().any(|error| error.kind == ErrorKind::MissingFunction.text());
    let is_called = |known: &&UndefinedSymbol| match known.how {
        How::Missing => is_undefined_called,
        How::Library => {
            let flows = format!("input flows into `{}`,", known.function);
            summary.reasons.iter().any(|reason| reason.what.starts_with(&flows))
        }
        How::Stub | How::Zeros => false,
    };
    summary.undefined_symbols.iter().filter(is_called).map(|known| known.function.as_str()).collect()
}

/// A command line with another option instead of one of the same name, before the arguments of a program.
fn with(arguments: &[String], option: &[String]) -> String {
    let end = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
    let (before, after) = arguments.split_at(end);
    let mut kept: Vec<String> = Vec::new();
    let mut words = before.iter();
    while let Some(word) = words.next() {
        // Several stubs are several options.
        let name = word.split('=').next().unwrap_or_default();
        // The directory of a session is not used twice.
        if name != "--out" && (option[0] == "--stub" || name != option[0]) {
            kept.push(without_password(word));
        } else if name == word {
            words.next();
        }
    }
    let after = after.iter().cloned();
    shell_words::join(["tine".to_owned()].into_iter().chain(kept).chain(option.iter().cloned()).chain(after))
}

/// An address without its user and password: `nats://user:secret@host` becomes `nats://host`.
fn without_password(word: &str) -> String {
    let at = |scheme: usize| word[scheme + 3..].split('/').next().and_then(|host| host.rfind('@'));
    match word.find("://").and_then(|scheme| Some((scheme, at(scheme)?))) {
        Some((scheme, at)) => format!("{}{}", &word[..scheme + 3], &word[scheme + 3 + at + 1..]),
        None => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_comes_before_the_arguments_of_a_program() {
        let words = |text: &str| shell_words::split(text).expect("closed quotes");
        let option = ["--max-time".to_owned(), "10m".to_owned()];
        assert_eq!(with(&words("test 'a b.c' --fn f"), &option), "tine test 'a b.c' --fn f --max-time 10m");
        assert_eq!(with(&words("run p -- -x"), &option), "tine run p --max-time 10m -- -x");
        for before in ["run --max-time 1m p", "run --max-time=1m p", "run p --max-time 1m"] {
            assert_eq!(with(&words(before), &option), "tine run p --max-time 10m");
        }
        for out in ["--out here", "--out=here"] {
            assert_eq!(with(&words(&format!("test a.c {out} --fn f")), &option), "tine test a.c --fn f --max-time 10m");
        }
        let hub = words("test a.c --hub nats://me:secret@host:4222/x@y");
        assert_eq!(with(&hub, &option), "tine test a.c --hub nats://host:4222/x@y --max-time 10m");
        let runs = ["--stub".to_owned(), "g".to_owned()];
        assert_eq!(with(&words("test a.c --stub f"), &runs), "tine test a.c --stub f --stub g");
    }
}
