//! Pages from tables in the sources: exit codes, error kinds, strategies, modelled functions.

use std::fmt::Write as _;

use tine_explore::strategy::catalogue::STRATEGIES;
use tine_trace::outcome::ErrorKind;

use super::NOTICE;
use crate::failure::EXIT_CODES;

/// Exit codes with their meaning.
pub(super) fn exit_codes() -> String {
    let mut text = format!("{NOTICE}# Exit codes\n\n| code | meaning |\n|---|---|\n");
    for (code, meaning) in EXIT_CODES {
        let _ = writeln!(text, "| {code} | {meaning} |");
    }
    text + "\nThe exit code does not depend on the verdict. `tine cc` returns the exit code of the compiler.\n"
}

/// Error kinds with their explanation.
pub(super) fn errors() -> String {
    let mut text = format!("{NOTICE}# Error kinds\n\n");
    text += "The kind is the first line of a reported error and the field `errors[].kind` of the JSON output. After some\n\
             errors the run continues, because the machine defines a result even where C does not.\n\n\
             | kind | meaning | the run |\n|---|---|---|\n";
    for kind in ErrorKind::ALL {
        let end = if kind.stops() { "stops" } else { "continues" };
        let _ = writeln!(text, "| {} | {} | {end} |", kind.text(), kind.about());
    }
    text
}

/// Search strategies with their options.
pub(super) fn strategies() -> String {
    let mut text = format!("{NOTICE}# Search strategies\n\n");
    text += "`--strategy NAME`, or `--strategy NAME:OPTION=VALUE,…` with options.\n\n\
             | strategy | order of the search | options |\n|---|---|---|\n";
    for strategy in STRATEGIES {
        let option = |option: &tine_explore::strategy::catalogue::OptionEntry| {
            format!("`{}={}`: {}", option.name, option.value, option.about)
        };
        let options: Vec<String> = strategy.options.iter().map(option).collect();
        let _ = writeln!(text, "| `{}` | {} | {} |", strategy.name, strategy.about, options.join(" "));
    }
    text
}

/// Functions of the C library that have a model.
pub(super) fn models(mut names: Vec<String>) -> String {
    names.retain(|name| !name.starts_with("__"));
    names.sort();
    names.dedup();
    let mut text = format!("{NOTICE}# Modelled library functions\n\n");
    let _ = write!(
        text,
        "Instrumented code calls models of these {} functions, which are explored like the program. Variants that the\n\
         compiler introduces (`__strcpy_chk`, `__isoc99_sscanf`) are included. Other functions run as they are.\n\n",
        names.len()
    );
    let mut line = String::new();
    for name in &names {
        if line.len() + name.len() + 4 > 118 {
            text += line.trim_end();
            text.push('\n');
            line.clear();
        }
        let _ = write!(line, "`{name}` ");
    }
    text + line.trim_end() + "\n"
}
