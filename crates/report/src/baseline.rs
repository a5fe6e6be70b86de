//! Known errors: those of an earlier session or SARIF file, by fingerprint.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::data::Data;
use crate::fingerprint::{self, fingerprints, fingerprints_without_text};

/// See the module's documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    known: BTreeSet<String>,
}

impl Baseline {
    /// Errors of sessions.
    pub fn of_sessions(sessions: &[Data]) -> Baseline {
        let known = sessions.iter().flat_map(|data| fingerprints(data, &data.summary.errors));
        Baseline { known: known.collect() }
    }

    /// Errors of a SARIF file that tine wrote. Results of level `note` are not errors.
    pub fn of_sarif(text: &str) -> Result<Baseline, String> {
        let file: Value = serde_json::from_str(text).map_err(|why| why.to_string())?;
        let runs = file["runs"].as_array().ok_or("it has no runs")?;
        let results = runs.iter().flat_map(|run| run["results"].as_array().into_iter().flatten());
        let mut known = BTreeSet::new();
        for result in results.filter(|result| result["level"] != "note" && result["baselineState"] != "absent") {
            let fingerprint = result["partialFingerprints"][fingerprint::NAME].as_str();
            known.insert(fingerprint.ok_or("a result has no fingerprint of tine")?.to_owned());
        }
        Ok(Baseline { known })
    }

    /// True if an error with this fingerprint is known.
    pub fn has(&self, fingerprint: &str) -> bool {
        self.known.contains(fingerprint)
    }

    /// New errors of sessions, as indices of session and error.
    pub fn new_errors(&self, sessions: &[Data]) -> Vec<(usize, usize)> {
        let mut new = Vec::new();
        for (index, data) in sessions.iter().enumerate() {
            let errors = &data.summary.errors;
            // The source of the baseline may have changed since. Then its errors are identified by their position.
            let without_text = fingerprints_without_text(data, errors);
            for (error, (fingerprint, position)) in fingerprints(data, errors).iter().zip(&without_text).enumerate() {
                if !self.has(fingerprint) && !self.has(position) {
                    new.push((index, error));
                }
            }
        }
        new
    }
}
