//! JUnit XML: every kept case is a test, and every error a failed one. Cases that show no certain error of the unit are
//! skipped tests: they violate a requirement, were not reproduced, or need memory that the unit does not make.

use std::collections::BTreeSet;

use tine_session::summary::ErrorSummary;

use crate::data::Data;
use crate::terminal::{no_violation, place, quoted};
use crate::xml::Xml;

/// The file for some sessions, one suite per session.
pub fn junit(sessions: &[Data]) -> String {
    let n_failures: usize = sessions.iter().map(|data| data.summary.errors.len()).sum();
    let n_tests: usize = sessions.iter().map(n_tests).sum();
    let time: u64 = sessions.iter().map(|data| data.summary.time_ms).sum();
    let mut xml = Xml::new();
    let attributes = [
        ("name", "tine".to_owned()),
        ("tests", n_tests.to_string()),
        ("failures", n_failures.to_string()),
        ("errors", "0".to_owned()),
        ("time", seconds(time)),
    ];
    xml.element("testsuites", &attributes, |xml| {
        for data in sessions {
            suite(xml, data);
        }
    });
    xml.finish()
}

fn n_tests(data: &Data) -> usize {
    data.summary.errors.len() + skipped(data).len() + passed(data).count()
}

/// Cases that are neither errors nor passed tests, with the reason.
fn skipped(data: &Data) -> Vec<(&ErrorSummary, String)> {
    let summary = &data.summary;
    let required = summary.requirements.iter().map(|required| {
        let why = format!("{} requires {}, otherwise: {}", summary.target, required.condition, required.evidence.kind);
        (&required.evidence, why)
    });
    let unreachable =
        summary.not_shown_reachable.iter().map(|error| (error, format!("{}, not shown reachable", error.kind)));
    let doubtful = summary.unreproduced.iter().map(|error| (error, format!("{}, not reproduced", error.kind)));
    required.chain(unreachable).chain(doubtful).collect()
}

/// Cases without an error.
fn passed(data: &Data) -> impl Iterator<Item = &crate::data::Case> {
    let skipped: BTreeSet<u32> = skipped(data).into_iter().map(|(error, _)| error.case).collect();
    let is_error = |case: u32| data.summary.errors.iter().any(|error| error.case == case && !error.is_only_by_calls());
    data.cases.iter().filter(move |case| !skipped.contains(&case.id) && !is_error(case.id))
}

fn suite(xml: &mut Xml, data: &Data) {
    let summary = &data.summary;
    let attributes = [
        ("name", summary.target.clone()),
        ("tests", n_tests(data).to_string()),
        ("failures", summary.errors.len().to_string()),
        ("errors", "0".to_owned()),
        ("skipped", skipped(data).len().to_string()),
        ("time", seconds(summary.time_ms)),
    ];
    let property = |xml: &mut Xml, name: &str, value: String| {
        xml.empty("property", &[("name", name.to_owned()), ("value", value)]);
    };
    xml.element("testsuite", &attributes, |xml| {
        xml.element("properties", &[], |xml| {
            property(xml, "verdict", summary.verdict.text().to_owned());
            property(xml, "runs", summary.runs.to_string());
            property(xml, "branches", format!("{} of {}", summary.branches_covered, summary.branches_total));
            for spec in &summary.specifications {
                let states = format!("{} of {} states", spec.reached, spec.states);
                property(xml, &format!("specification {}", spec.name), states);
            }
            if let Some(sentence) = no_violation(summary) {
                property(xml, "specifications", sentence);
            }
        });
        for error in &summary.errors {
            let at = place(&error.file, error.line, error.column);
            let name = format!("case {}: {} at {at}", error.case, error.kind);
            let test = [("name", name), ("classname", summary.target.clone()), ("time", "0".to_owned())];
            let about = if error.about.is_empty() { String::new() } else { format!(": {}", error.about) };
            let failure = [("message", format!("{} at {at}{about}", error.kind)), ("type", error.kind.clone())];
            xml.element("testcase", &test, |xml| {
                xml.element("failure", &failure, |xml| {
                    let replay = format!("tine replay {} {}", quoted(&data.folder_of(error)), error.case);
                    xml.text(&format!("{} at {at}{about}\ninput: {}\nreplay: {replay}", error.kind, error.input));
                });
            });
        }
        for (error, why) in skipped(data) {
            let name = format!("case {}: {why} at {}", error.case, place(&error.file, error.line, error.column));
            let test = [("name", name), ("classname", summary.target.clone()), ("time", "0".to_owned())];
            xml.element("testcase", &test, |xml| xml.empty("skipped", &[("message", why)]));
        }
        for case in passed(data) {
            let name = format!("case {}: {}", case.id, case.input);
            xml.empty("testcase", &[("name", name), ("classname", summary.target.clone()), ("time", "0".to_owned())]);
        }
    });
}

fn seconds(millis: u64) -> String {
    format!("{}.{:03}", millis / 1000, millis % 1000)
}
