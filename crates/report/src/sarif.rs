//! SARIF 2.1.0: errors with the decisions on their paths, for code scanning services and editors.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};
use tine_session::summary::ErrorSummary;

use crate::baseline::Baseline;
use crate::data::{Data, Decision};
use crate::fingerprint::{self, fingerprints};
use crate::source::utf16_column;
use crate::terminal::quoted;
use crate::uri::{file_uri, uri};

/// The rule of conditions on the inputs.
const REQUIREMENT: &str = "requirement";
/// Maximum number of steps of a code flow; the last ones are kept.
const MAX_STEPS: usize = 200;

/// The file, with one run per session. Source paths below `root` are relative. With a baseline, every result is marked
/// as new or known.
pub fn sarif(sessions: &[Data], root: &Path, version: &str, baseline: Option<&Baseline>) -> String {
    let runs: Vec<Value> = sessions.iter().map(|data| run(data, root, version, baseline)).collect();
    let file = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": runs,
    });
    format!("{file:#}\n")
}

fn run(data: &Data, root: &Path, version: &str, baseline: Option<&Baseline>) -> Value {
    let summary = &data.summary;
    let errors = summary.errors.iter().chain(&summary.unreproduced).chain(&summary.not_shown_reachable);
    let mut kinds: BTreeSet<&str> = errors.map(|error| &error.kind[..]).collect();
    if !summary.requirements.is_empty() {
        kinds.insert(REQUIREMENT);
    }
    let rules: Vec<Value> = kinds.iter().map(|kind| rule(kind)).collect();
    let index: BTreeMap<&str, usize> = kinds.iter().enumerate().map(|(index, kind)| (*kind, index)).collect();
    let mut results = Vec::new();
    for (error, fingerprint) in summary.errors.iter().zip(fingerprints(data, &summary.errors)) {
        let mut found = result(data, root, error, &fingerprint, index[&error.kind[..]], "error");
        if let Some(baseline) = baseline {
            found["baselineState"] = if baseline.has(&fingerprint) { json!("unchanged") } else { json!("new") };
        }
        results.push(found);
    }
    for (error, fingerprint) in summary.unreproduced.iter().zip(fingerprints(data, &summary.unreproduced)) {
        results.push(result(data, root, error, &fingerprint, index[&error.kind[..]], "note"));
    }
    let unreachable = &summary.not_shown_reachable;
    for (error, fingerprint) in unreachable.iter().zip(fingerprints(data, unreachable)) {
        let mut found = result(data, root, error, &fingerprint, index[&error.kind[..]], "note");
        found["properties"]["shownReachable"] = json!(false);
        results.push(found);
    }
    let evidence: Vec<ErrorSummary> = summary.requirements.iter().map(|required| required.evidence.clone()).collect();
    for (required, fingerprint) in summary.requirements.iter().zip(fingerprints(data, &evidence)) {
        let mut found = result(data, root, &required.evidence, &fingerprint, index[REQUIREMENT], "note");
        let text = found["message"]["text"].as_str().unwrap_or_default().to_owned();
        found["ruleId"] = json!(rule_id(REQUIREMENT));
        let condition = &required.condition;
        found["message"] = json!({ "text": format!("{} requires {condition}. Otherwise: {text}", summary.target) });
        found["properties"]["condition"] = json!(condition);
        results.push(found);
    }
    json!({
        "tool": { "driver": {
            "name": "tine",
            "version": version,
            "semanticVersion": version,
            "rules": rules,
        }},
        "automationDetails": { "id": format!("tine/{}/", summary.target) },
        "columnKind": "utf16CodeUnits",
        "invocations": [{ "executionSuccessful": data.is_finished }],
        "originalUriBaseIds": { "SRCROOT": { "uri": directory_uri(root) } },
        "results": results,
        "properties": {
            "target": summary.target,
            "verdict": summary.verdict.text(),
            "runs": summary.runs,
            "branchesCovered": summary.branches_covered,
            "branchesTotal": summary.branches_total,
        },
    })
}

fn directory_uri(root: &Path) -> String {
    let text = file_uri(&root.to_string_lossy());
    if text.ends_with('/') { text } else { text + "/" }
}

fn rule(kind: &str) -> Value {
    let (text, level) = match kind {
        REQUIREMENT => (
            "The code uses an input without a check. The message has the condition and an input that violates it."
                .to_owned(),
            "note",
        ),
        _ => (format!("A run of the unit showed: {kind}. The input that shows it is in the message."), "error"),
    };
    json!({
        "id": rule_id(kind),
        "name": kind,
        "shortDescription": { "text": kind },
        "fullDescription": { "text": text },
        "defaultConfiguration": { "level": level },
    })
}

/// `division-by-zero`.
fn rule_id(kind: &str) -> String {
    let letters = kind.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' });
    letters.collect::<String>().to_lowercase()
}

fn result(data: &Data, root: &Path, error: &ErrorSummary, fingerprint: &str, rule: usize, level: &str) -> Value {
    let dir = quoted(&data.folder_of(error));
    let input = if error.input.is_empty() { "none" } else { &error.input };
    let about = if error.about.is_empty() { String::new() } else { format!(" ({})", error.about) };
    let text = format!("{}{about}. Input: {input}. Replay: tine replay {dir} {}", error.kind, error.case);
    let place = location(data, root, &error.file, error.line, error.column, &error.function);
    let mut result = json!({
        "ruleId": rule_id(&error.kind),
        "ruleIndex": rule,
        "level": level,
        "message": { "text": text },
        "locations": [place],
        "partialFingerprints": { fingerprint::NAME: fingerprint },
        "properties": { "case": error.case, "input": error.input, "runs": error.runs },
    });
    if !error.callers.is_empty() {
        let frame = |location: Value| json!({ "location": location });
        let calls =
            error.callers.iter().map(|call| location(data, root, &call.file, call.line, call.column, &call.function));
        let frames: Vec<Value> = [result["locations"][0].clone()].into_iter().chain(calls).map(frame).collect();
        result["stacks"] = json!([{ "frames": frames }]);
    }
    let path = data.path_to(error);
    let steps = &path[path.len().saturating_sub(MAX_STEPS)..];
    if !steps.is_empty() {
        let mut locations: Vec<Value> = steps.iter().map(|step| flow_location(data, root, step)).collect();
        let mut end = location(data, root, &error.file, error.line, error.column, &error.function);
        end["message"] = json!({ "text": error.kind });
        locations.push(json!({ "location": end, "importance": "essential" }));
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": locations }] }]);
    }
    result
}

fn flow_location(data: &Data, root: &Path, step: &Decision) -> Value {
    let mut place = location(data, root, &step.file, step.line, step.column, &step.function);
    place["message"] = json!({ "text": format!("{}: {}", step.kind, step.side) });
    json!({ "location": place })
}

fn location(data: &Data, root: &Path, file: &str, line: u32, column: u32, function: &str) -> Value {
    let mut place = json!({});
    if !file.is_empty() {
        let uri = uri(file, root);
        let mut artifact = json!({ "uri": uri });
        if !uri.starts_with("file:") {
            artifact["uriBaseId"] = json!("SRCROOT");
        }
        let mut physical = json!({ "artifactLocation": artifact });
        if line > 0 {
            physical["region"] = json!({ "startLine": line });
            if column > 0 {
                physical["region"]["startColumn"] = json!(utf16_column(&data.sources, file, line, column));
            }
        }
        place["physicalLocation"] = physical;
    }
    if !function.is_empty() {
        place["logicalLocations"] = json!([{ "name": function, "kind": "function" }]);
    }
    place
}
