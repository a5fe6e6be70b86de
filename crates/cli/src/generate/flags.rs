//! The page of commands and options, from clap's description.

use std::fmt::Write as _;

use clap::{Arg, Command};

use super::NOTICE;

/// Every command with its arguments, options and examples.
pub(super) fn page(mut command: Command) -> String {
    command.build();
    let mut text = format!("{NOTICE}# Commands and options\n\n");
    text += "Every long option is also a key of [`tine.toml`](tine.toml.md).\n";
    let commands = command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    for command in commands {
        section(&mut text, command.get_name(), command);
        for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
            section(&mut text, &format!("{} {}", command.get_name(), sub.get_name()), sub);
        }
    }
    text
}

fn section(text: &mut String, name: &str, command: &Command) {
    let about = command.get_long_about().or_else(|| command.get_about()).map(ToString::to_string).unwrap_or_default();
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    let _ = write!(text, "\n## tine {name}\n\n{}.\n\n```text\n{usage}\n```\n", about.trim_end_matches('.'));
    let arguments = command.get_arguments().filter(|arg| !arg.is_hide_set() && arg.get_id() != "help");
    let mut groups: Vec<(&str, Vec<&Arg>)> = Vec::new();
    for arg in arguments {
        let plain = if arg.is_positional() { "Arguments" } else { "Options" };
        let heading = arg.get_help_heading().unwrap_or(plain);
        match groups.iter_mut().find(|(known, _)| *known == heading) {
            Some((_, arguments)) => arguments.push(arg),
            None => groups.push((heading, vec![arg])),
        }
    }
    for (heading, arguments) in groups {
        let _ = write!(text, "\n| {heading} | |\n|---|---|\n");
        for arg in arguments {
            let _ = writeln!(text, "| {} | {} |", cell(&self::name(arg)), cell(&meaning(arg)));
        }
    }
    if let Some(examples) = command.get_after_long_help() {
        let _ = write!(text, "\n```text\n{}\n```\n", examples.to_string().trim_end());
    }
}

/// `-p`, `--build DIR`.
fn name(arg: &Arg) -> String {
    let values = arg.get_value_names().unwrap_or_default().join(" ");
    let takes_value = arg.get_action().takes_values();
    let mut name = match (arg.get_long(), takes_value) {
        (None, _) => return format!("`{}`", if values.is_empty() { arg.get_id().as_str() } else { &values }),
        (Some(long), true) => format!("`--{long} {values}`"),
        (Some(long), false) => format!("`--{long}`"),
    };
    if let Some(short) = arg.get_short() {
        name = format!("`-{short}`, {name}");
    }
    name
}

/// The long help, followed by the default and possible values.
fn meaning(arg: &Arg) -> String {
    let help = arg.get_long_help().or_else(|| arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut text = help.split_whitespace().collect::<Vec<_>>().join(" ");
    if !text.ends_with(['.', ':', ']']) {
        text.push('.');
    }
    let defaults: Vec<String> =
        arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    let values = arg.get_possible_values();
    if arg.get_action().takes_values() && !values.is_empty() {
        let names: Vec<String> = values.iter().map(|value| format!("`{}`", value.get_name())).collect();
        let _ = write!(text, " Values: {}.", names.join(", "));
    }
    if arg.get_action().takes_values() && !arg.is_hide_default_value_set() && !defaults.concat().is_empty() {
        let _ = write!(text, " Default: `{}`.", defaults.join(" "));
    }
    text
}

/// Escapes text for a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
