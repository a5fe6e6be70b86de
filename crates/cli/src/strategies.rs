//! `tine strategies`: every strategy with its options.

use std::fmt::Write as _;

use tine_explore::strategy::catalogue::STRATEGIES;

use crate::display::print_text;
use crate::failure::{EXIT_FINE, Failure};

/// Prints each strategy and its options.
pub(crate) fn list() -> Result<u8, Failure> {
    let mut text = String::new();
    for entry in STRATEGIES {
        writeln!(text, "{:<14} {}", entry.name, entry.about).expect("a string");
        for option in entry.options {
            let key = format!("{}={}", option.name, option.value);
            writeln!(text, "{:<14}   {key:<15} {}", "", option.about).expect("a string");
        }
    }
    text.push_str("\nOptions follow a colon: --strategy bounded-dfs:bound=8\n");
    print_text(&text)?;
    Ok(EXIT_FINE)
}
