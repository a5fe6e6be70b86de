//! The JSON output: its schema and a page, both generated from the printed types.

use std::fmt::Write as _;

use serde_json::Value;
use tine_session::Summary;

use super::NOTICE;

fn schema() -> Value {
    serde_json::to_value(schemars::schema_for!(Summary)).expect("a schema is JSON")
}

/// The schema as a file.
pub(super) fn text() -> String {
    serde_json::to_string_pretty(&schema()).expect("a schema is JSON") + "\n"
}

/// A table per type.
pub(super) fn page() -> String {
    let schema = schema();
    let mut text = format!("{NOTICE}# JSON output\n\n");
    text += "`--json` prints one object on one line. [summary.schema.json](summary.schema.json) is its JSON Schema. With\n\
             `tine test FILE.c` and no `--fn`, the field `functions` of the output has one such object per function.\n\n## The summary\n";
    table(&mut text, &schema);
    let definitions = schema["$defs"].as_object().cloned().unwrap_or_default();
    for (name, definition) in &definitions {
        let _ = write!(text, "\n## {name}\n");
        table(&mut text, definition);
    }
    text
}

fn table(text: &mut String, object: &Value) {
    if let Some(about) = object["description"].as_str() {
        let _ = write!(text, "\n{}\n", line(about));
    }
    if let Some(properties) = object["properties"].as_object() {
        text.push_str("\n| field | type | meaning |\n|---|---|---|\n");
        for (name, property) in properties {
            let about = line(property["description"].as_str().unwrap_or_default());
            let _ = writeln!(text, "| `{name}` | {} | {about} |", kind(property));
        }
        return;
    }
    text.push_str("\n| value | meaning |\n|---|---|\n");
    let variants = object["oneOf"].as_array().cloned().unwrap_or_else(|| vec![object.clone()]);
    for variant in &variants {
        let about =
            if variants.len() > 1 { line(variant["description"].as_str().unwrap_or_default()) } else { String::new() };
        let values = variant["enum"].as_array().cloned().unwrap_or_else(|| vec![variant["const"].clone()]);
        for value in &values {
            let _ = writeln!(text, "| `{}` | {about} |", value.as_str().unwrap_or_default());
        }
    }
}

/// `integer`, `array of ErrorSummary`.
fn kind(property: &Value) -> String {
    if let Some(target) = property["$ref"].as_str() {
        let name = target.rsplit('/').next().unwrap_or_default();
        return format!("[{name}](#{})", name.to_lowercase());
    }
    match property["type"].as_str() {
        Some("array") => format!("array of {}", kind(&property["items"])),
        Some("object") if property["additionalProperties"].is_object() => {
            format!("object, values {}", kind(&property["additionalProperties"]))
        }
        Some(kind) => kind.to_owned(),
        None => "object".to_owned(),
    }
}

fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
