//! `tine strategies`, and what a strategy needs from files.

use std::fmt::Write as _;

use tine_explore::ProgramMap;
use tine_explore::strategy::Spec;
use tine_explore::strategy::catalogue::STRATEGIES;
use tine_explore::strategy::weights::Weights;

use crate::explore::print_text;
use crate::failure::{EXIT_FINE, Failure};

/// Prints each strategy with a sentence, and so its options.
pub(crate) fn list() -> Result<u8, Failure> {
    let mut text = String::new();
    for entry in STRATEGIES {
        writeln!(text, "{:<14} {}", entry.name, entry.about).expect("a string");
        for option in entry.options {
            let key = format!("{}={}", option.name, option.value);
            writeln!(text, "{:<14}   {key:<15} {}", "", option.about).expect("a string");
        }
    }
    text.push_str("\nOptions stand behind a colon: --strategy bounded-dfs:bound=8\n");
    print_text(&text)?;
    Ok(EXIT_FINE)
}

/// The weights that the strategy is to go by.
pub(crate) fn weights(spec: &Spec) -> Result<Weights, Failure> {
    let Some(file) = spec.weights_file() else { return Ok(Weights::default()) };
    let text = std::fs::read_to_string(file)
        .map_err(|why| Failure::usage(format!("{file}: {why}"), "give a file that can be read as weights=FILE"))?;
    Weights::parse(&text).map_err(|why| {
        Failure::usage(format!("{file}, {why}"), "each line is `file.c:12 0.9`; what follows a # is not read")
    })
}

/// A weight that no branch has is likely a mistake.
pub(crate) fn warn_about_weights(weights: &Weights, map: &ProgramMap, quiet: bool) {
    if !quiet {
        for place in weights.unused(map) {
            eprintln!("warning: there is no branch at {place}, which the weights name");
        }
    }
}
