//! The cases as JSON: inputs by request, the input map, outcome and error.

use serde_json::json;

use super::{Exported, Exporting, Format};
use crate::Error;

#[derive(Debug)]
pub(super) struct Json;

impl Format for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn about(&self) -> &'static str {
        "inputs, outcomes and errors as JSON"
    }

    fn export(&self, exporting: &Exporting<'_>) -> Result<Exported, Error> {
        let errors = exporting.session.errors()?;
        let mut cases = Vec::new();
        for case in exporting.session.cases()? {
            let found: Vec<_> = errors
                .iter()
                .filter(|error| error.case == case.id)
                .map(|error| json!({ "kind": error.kind, "file": error.file, "line": error.line, "function": error.function }))
                .collect();
            let input = serde_json::to_value(&case.input).map_err(|why| Error::Types(why.to_string()))?;
            cases.push(json!({
                "case": case.id, "outcome": case.outcome, "code": case.code, "errors": found, "input": input,
            }));
        }
        let n_tests = cases.len();
        let text =
            serde_json::to_string_pretty(&json!({ "cases": cases })).map_err(|why| Error::Types(why.to_string()))?;
        Ok(Exported { files: vec![("cases.json".into(), (text + "\n").into_bytes())], n_tests, ..Exported::default() })
    }
}
