//! The JSON output has a version and conforms to its schema.

use serde_json::Value;
use tine_session::{SUMMARY_VERSION, Summary};

use crate::support::Bench;

const UNIT: &str = "\
int f(int x, unsigned char *text) {
    if (x == 7)
        return text[0] / (x - 7);
    if (x > 1000 && x < 10)
        return 2;
    return 0;
}
";

/// Checks the part of JSON Schema that schemas of Rust types use. Unknown fields are errors.
fn check(value: &Value, schema: &Value, root: &Value, place: &str) -> Result<(), String> {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.trim_start_matches("#/$defs/");
        return check(value, &root["$defs"][name], root, place);
    }
    for kind in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[kind].as_array() {
            let fits = choices.iter().any(|choice| check(value, choice, root, place).is_ok());
            return if fits { Ok(()) } else { Err(format!("{place}: {value} is none of {choices:?}")) };
        }
    }
    if let Some(only) = schema.get("const") {
        return if value == only { Ok(()) } else { Err(format!("{place}: {value} is not {only}")) };
    }
    if schema["enum"].as_array().is_some_and(|all| !all.contains(value)) {
        return Err(format!("{place}: {value} is not one of {}", schema["enum"]));
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let has_type = |name: &&str| match *name {
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => false,
    };
    if !types.is_empty() && !types.iter().any(has_type) {
        return Err(format!("{place}: {value} is not of type {types:?}"));
    }
    for (k, element) in value.as_array().into_iter().flatten().enumerate() {
        check(element, &schema["items"], root, &format!("{place}[{k}]"))?;
    }
    let mut required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if let Some(name) = required.find(|name| value.get(name).is_none()) {
        return Err(format!("{place}: no `{name}`"));
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        let inner = match (schema["properties"].get(name), schema.get("additionalProperties")) {
            (Some(inner), _) | (None, Some(inner)) => inner,
            _ if schema["properties"].is_null() => continue,
            _ => return Err(format!("{place}: the schema has no `{name}`")),
        };
        check(member, inner, root, &format!("{place}.{name}"))?;
    }
    Ok(())
}

fn schema() -> Value {
    serde_json::to_value(schemars::schema_for!(Summary)).expect("a schema is JSON")
}

#[test]
fn the_output_agrees_with_its_schema() {
    let bench = Bench::new(&[("unit.c", UNIT)]);
    let summary = bench.tine("test unit.c --fn f --json --quiet --out out").json();
    assert_eq!(summary["version"], SUMMARY_VERSION);
    assert!(!summary["errors"].as_array().expect("a list").is_empty(), "{summary}");
    let schema = schema();
    check(&summary, &schema, &schema, "summary").unwrap_or_else(|why| panic!("{why}\n{summary}"));
}

/// The check detects mistakes.
#[test]
fn other_output_does_not_agree() {
    let bench = Bench::new(&[("unit.c", UNIT)]);
    let summary = bench.tine("test unit.c --fn f --json --quiet --out out").json();
    let schema = schema();
    let changed = |change: fn(&mut Value)| {
        let mut other = summary.clone();
        change(&mut other);
        check(&other, &schema, &schema, "summary").is_err()
    };
    assert!(changed(|summary| summary["runs"] = "many".into()));
    assert!(changed(|summary| summary["verdict"] = "perhaps".into()));
    assert!(changed(|summary| summary["unknown"] = 1.into()));
    assert!(changed(|summary| _ = summary.as_object_mut().expect("an object").remove("paths")));
}
