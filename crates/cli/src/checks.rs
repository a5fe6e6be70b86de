//! `tine checks`: every check with its explanation.

use std::fmt::Write as _;

use tine_trace::check::Check;

use crate::display::print_text;
use crate::failure::{EXIT_FINE, Failure};

/// Prints each check with its explanation.
pub(crate) fn list() -> Result<u8, Failure> {
    let mut text = String::new();
    for check in Check::ALL {
        let state = if check.is_default() { "on" } else { "off" };
        writeln!(text, "{:<18} {state:<4} {}", check.name(), check.about()).expect("a string");
    }
    text.push_str(
        "\n`on` is the default. --check +narrowing adds one, --check=-null removes one, --check bounds,free selects.\n",
    );
    print_text(&text)?;
    Ok(EXIT_FINE)
}
